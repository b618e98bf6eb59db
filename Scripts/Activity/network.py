# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers that are learned: the network, the step frequency's regression, and that of the last minute in a vehicle."""

import numpy

class Network:
  """ActivityNetwork.swift: limited inputs, a hidden layer with x / (1 + |x|), a softmax."""

  def __init__(self, means, deviations, weights):
    self.means, self.deviations, self.weights = means, deviations, weights

  def inputs(self, features):
    return ((features - self.means) / self.deviations).clip(-3, 3)

  def logarithms(self, features):
    hidden, constants, output, ends = self.weights
    sums = self.inputs(features) @ hidden + constants
    result = (sums / (1 + numpy.abs(sums))) @ output + ends
    result -= result.max(1, keepdims=True)
    return result - numpy.log(numpy.exp(result).sum(1, keepdims=True))

  @classmethod
  def train(cls, features, kinds, weights, days, seed, members=2, units=32, steps=6000, batch=1024, decay=3e-4):
    """The mean of some networks, each of which saw three quarters of the days: Adam on the cross entropy."""
    means = numpy.average(features, axis=0, weights=weights)
    deviations = numpy.sqrt(numpy.average((features - means) ** 2, axis=0, weights=weights)) + 1e-6
    normal = ((features - means) / deviations).clip(-3, 3)
    random = numpy.random.default_rng(seed)
    found = []
    for _ in range(members):
      seen = weights * (random.random(days.max() + 1) > 0.25)[days]
      chances, count = numpy.cumsum(seen / seen.sum()), normal.shape[1]
      part = [random.normal(size=(count, units)) / numpy.sqrt(count), numpy.zeros(units),
              random.normal(size=(units, 6)) * 0.1, numpy.zeros(6)]
      mean, square = [0 * values for values in part], [0 * values for values in part]
      for step in range(steps):
        rows = numpy.searchsorted(chances, random.random(batch)).clip(0, len(kinds) - 1)
        x = normal[rows]
        sums = x @ part[0] + part[1]
        hidden = sums / (1 + numpy.abs(sums))
        result = hidden @ part[2] + part[3]
        slope = numpy.exp(result - result.max(1, keepdims=True))
        slope /= slope.sum(1, keepdims=True)
        slope[numpy.arange(batch), kinds[rows]] -= 1
        slope /= batch
        below = (slope @ part[2].T) / (1 + numpy.abs(sums)) ** 2
        slopes = [x.T @ below + decay * part[0], below.sum(0), hidden.T @ slope + decay * part[2], slope.sum(0)]
        rate = 0.01 * min(1, (step + 1) / 100) * (0.5 + 0.5 * numpy.cos(numpy.pi * step / steps) + 0.01)
        for index in range(4):
          mean[index] = 0.9 * mean[index] + 0.1 * slopes[index]
          square[index] = 0.999 * square[index] + 0.001 * slopes[index] ** 2
          part[index] -= rate * mean[index] / (1 - 0.9 ** (step + 1)) / (numpy.sqrt(square[index] / (1 - 0.999 ** (step + 1))) + 1e-8)
      found.append(part)
    joined = [numpy.hstack([part[0] for part in found]), numpy.concatenate([part[1] for part in found]),
              numpy.vstack([part[2] for part in found]) / members, numpy.mean([part[3] for part in found], 0)]
    return cls(means, deviations, joined)


# VehicleEvidence.swift: the places of its features, and the means of about 40 s.
MINUTE = [0, 10, 11, 12, 13, 14, 15, 18, 19]


def running_means(values, hop=0.64, memory=40.0):
  means, now = numpy.zeros(values.shape), numpy.zeros(values.shape[1])
  for index, value in enumerate(values):
    now = now + (value - now) * max(hop / memory, 1 / (index + 1))
    means[index] = now
  return means


def fit_vehicle(recordings, rides, penalty=1e-4, rounds=40):
  """Logistic regression of the features' means and their squares, each recording and both classes alike: Newton's method. Returns means,
  deviations, weights and the parts of each class that it has right."""
  parts = [running_means(values[:, MINUTE])[31:] for values in recordings + rides]
  labels = [0] * len(recordings) + [1] * len(rides)
  x = numpy.concatenate(parts)
  y = numpy.concatenate([numpy.full(len(part), label) for part, label in zip(parts, labels)])
  weights = numpy.concatenate([numpy.full(len(part), 1 / max(1, len(part))) for part in parts])
  for label in (0, 1):
    weights[y == label] /= 2 * weights[y == label].sum()
  means = numpy.average(x, axis=0, weights=weights)
  deviations = numpy.sqrt(numpy.average((x - means) ** 2, axis=0, weights=weights))
  z = ((x - means) / deviations).clip(-3, 3)
  inputs = numpy.column_stack([z, z * z, numpy.ones(len(z))])
  result, ridge = numpy.zeros(inputs.shape[1]), penalty * numpy.eye(inputs.shape[1])
  for _ in range(rounds):
    chance = 1 / (1 + numpy.exp(-(inputs @ result).clip(-30, 30)))
    slope = inputs.T @ (weights * (y - chance)) - ridge @ result
    curvature = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs + ridge
    result = result + numpy.linalg.solve(curvature, slope)
  right = weights * ((inputs @ result > 0) == y)
  return means, deviations, result, [2 * right[y == label].sum() for label in (0, 1)]


# StepFrequency.swift.
GRID = 0.9 + 0.05 * numpy.arange(55)
RESOLUTION = 25 / 256
LINES = 83
FREQUENCY_NAMES = ["half", "step", "oneAndHalf", "strideSway", "halfCorrelation", "strideCorrelation", "logarithm", "square"]


def frequency_inputs(spectra):
  """For each window and each frequency of the grid what the regression sums."""
  norm, sway, correlations = spectra[:, :LINES], spectra[:, LINES:2 * LINES], spectra[:, 2 * LINES:]
  line = lambda frequency: min(LINES, max(1, int(frequency / RESOLUTION + 0.5)))

  def share(power, lowest, frequency):
    first, last = line(frequency - 0.2) - 1, line(frequency + 0.2)
    total = power[:, line(lowest) - 1:line(8) - 1].sum(1) + 1e-9
    return numpy.sqrt(power[:, first:last].sum(1) / total)

  def correlation(delay):
    place = min(correlations.shape[1] - 1, int(delay))
    part = delay - place
    return correlations[:, place - 1] * (1 - part) + correlations[:, min(place, correlations.shape[1] - 1)] * part

  columns = []
  for frequency in GRID:
    logarithm = numpy.full(len(spectra), numpy.log(frequency / 1.8))
    columns.append(numpy.column_stack(
      [share(norm, 0.5, frequency * part) for part in (0.5, 1, 1.5)] + [share(sway, 0.3, frequency / 2)]
      + [correlation(25 * steps / frequency) for steps in (0.5, 2)] + [logarithm, logarithm**2]))
  return numpy.stack(columns, 1)


def fit_frequency(inputs, right, weights, penalty=1e-4, rounds=30):
  """Conditional logistic regression where several frequencies may be right: Newton's method on the expected curvature."""
  result = numpy.zeros(inputs.shape[2])
  weights = weights / weights.sum()
  best = numpy.inf
  damping = 1e-3
  for _ in range(rounds):
    def judge(values):
      scores = inputs @ values
      chances = numpy.exp(scores - scores.max(1, keepdims=True))
      chances /= chances.sum(1, keepdims=True)
      within = (chances * right).sum(1) + 1e-9
      return chances, within, -(weights * numpy.log(within)).sum() + penalty * (values**2).sum()

    chances, within, best = judge(result)
    slope = numpy.einsum("n,ng,ngk->k", weights, chances * right / within[:, None] - chances, inputs) - 2 * penalty * result
    centred = inputs - numpy.einsum("ng,ngk->nk", chances, inputs)[:, None]
    curvature = numpy.einsum("n,ng,ngk,ngl->kl", weights, chances, centred, centred, optimize=True) + 2 * penalty * numpy.eye(len(result))
    while damping < 1e6:
      step = numpy.linalg.solve(curvature + damping * numpy.diag(numpy.diag(curvature)), slope)
      if judge(result + step)[2] < best:
        result, damping = result + step, damping / 3
        break
      damping *= 4
  return result
