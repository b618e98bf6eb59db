// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The numbers on the page: the three angles large, the others in groups that fold.

const make = (tag, text = '', name = '') => Object.assign(document.createElement(tag), {textContent: text, className: name});
const write = (node, text) => { if (node.textContent !== text) node.textContent = text; };

/** Large angles, a row for each view. */
export class Angles {
  constructor(element, labels) {
    this.cells = labels.map((label) => {
      const row = make('div', '', 'reading');
      if (labels.length > 1) row.append(make('h2', label));
      const list = make('dl');
      const cells = new Map(['Roll', 'Pitch', 'Yaw'].map((name) => {
        const box = make('div'), value = make('dd', '–');
        box.append(make('dt', name), value);
        list.append(box);
        return [name, value];
      }));
      row.append(list);
      element.append(row);
      return {cells, title: row.querySelector('h2')};
    });
  }

  show(place, label, rows) {
    const {cells, title} = this.cells[place];
    if (title) write(title, label);
    for (const [name, text] of rows) write(cells.get(name), text);
  }
}

/** Groups of numbers, a column for each view. */
export class Groups {
  constructor(element) { [this.element, this.boxes] = [element, new Map()]; }

  /** `views`: the groups of each view; `letters`: what heads their columns, if there are several. */
  show(views, letters) {
    const names = [...new Set(views.flat().map(({name}) => name))];
    if (names.join() !== [...this.boxes.keys()].join()) this.rebuild(names);
    for (const name of names) {
      const columns = views.map((groups) => groups.find((group) => group.name === name));
      const box = this.boxes.get(name);
      write(box.key, columns.map((group) => group?.key ?? '').filter((key, at, all) => key && all.indexOf(key) === at).join(' | '));
      if (box.details.open) this.fill(box, columns.filter(Boolean), letters);
    }
  }

  rebuild(names) {
    const former = this.boxes;
    this.boxes = new Map(names.map((name) => [name, former.get(name) ?? this.box(name)]));
    this.element.replaceChildren(...[...this.boxes.values()].map(({details}) => details));
  }

  box(name) {
    const details = make('details'), summary = make('summary'), key = make('span', '', 'key'), table = make('table');
    summary.append(make('span', name), key);
    details.append(summary, table);
    return {details, key, table, shape: ''};
  }

  fill(box, columns, letters) {
    const names = [...new Set(columns.flatMap(({rows}) => rows.map(([name]) => name)))];
    const shape = `${columns.length} ${names.join()}`;
    if (box.shape !== shape) {
      box.shape = shape;
      const isPair = columns.length > 1;
      box.table.replaceChildren();
      if (isPair) {
        const head = box.table.insertRow();
        head.append(make('td'), ...letters.map((letter) => Object.assign(make('th', letter), {scope: 'col'})));
      }
      for (const name of names) {
        const row = box.table.insertRow();
        row.append(Object.assign(make('th', name), {scope: 'row'}), ...columns.map(() => make('td')));
      }
    }
    const first = columns.length > 1 ? 1 : 0;
    names.forEach((name, at) => columns.forEach(({rows}, column) => {
      write(box.table.rows[at + first].cells[column + 1], rows.find(([other]) => other === name)?.[1] ?? '–');
    }));
  }
}
