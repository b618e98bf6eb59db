# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""The numbers that are learned: the network, the step frequency's regression; and the hidden Markov model that joins windows."""

import numpy

HOP, LAG = 0.64, 2


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
  def train(cls, features, kinds, weights, days, seed, members=4, units=32, steps=6000, batch=1024, decay=3e-4):
    """The mean of some networks, each of which saw three quarters of the days: Adam on the cross entropy."""
    means = numpy.average(features, axis=0, weights=weights)
    deviations = numpy.sqrt(numpy.average((features - means) ** 2, axis=0, weights=weights)) + 1e-6
    normal = ((features - means) / deviations).clip(-3, 3)
    random = numpy.random.default_rng(seed)
    found = []
    for _ in range(members):
      seen = weights * (random.random(days.max() + 1) > 0.25)[days]
      chances = numpy.cumsum(seen / seen.sum())
      count = normal.shape[1]
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


class Markov:
  """ActivityClassifier.swift: the probabilities of each block given the windows up to two later."""
  durations = numpy.array([60, 20, 30, 15, 300, 180])
  followers = numpy.array([0.42, 0.38, 0.05, 0.12, 0.02, 0.01])

  def __init__(self, weight=0.35, least=-4, parked=258, tilt=0.3, lag=LAG):
    self.weight, self.least, self.tilt, self.lag = weight, least, tilt, lag
    self.changes = numpy.zeros((7, 7))
    for kind in range(6):
      others = numpy.where(numpy.arange(6) == kind, 0, self.followers)
      self.changes[kind, :6] = HOP / self.durations[kind] * others / others.sum()
      self.changes[kind, kind] = 1 - HOP / self.durations[kind]
    # The last state: a vehicle that stands.
    self.changes[4, [0, 6]] = 0, self.changes[4, 0]
    self.changes[6] = self.changes[0]
    self.changes[6, 0] = HOP * numpy.log(2) / parked
    self.changes[6, 6] = self.changes[0, 0] - self.changes[6, 0]

  def __call__(self, logarithms, values):
    # A vehicle that stands shows what rest shows. No vehicle turns a device over (value 14: the logarithm of the tilt and 0.02).
    logarithms = logarithms[:, [0, 1, 2, 3, 4, 5, 0]]
    fits = numpy.exp(self.weight * numpy.maximum(logarithms, self.least))
    fits[:, [4, 6]] *= numpy.exp(-self.weight / 2 * ((numpy.exp(values[:, 14]) - 0.02) / self.tilt) ** 2)[:, None]
    forward, now = numpy.zeros(fits.shape), numpy.append(self.followers, 0)
    for index, fit in enumerate(fits):
      now = (now @ self.changes) * fit
      now = now / now.sum()
      forward[index] = now
    late = numpy.zeros(fits.shape)
    for index in range(len(fits)):
      back = numpy.ones(7)
      for later in range(min(len(fits) - 1, index + self.lag), index, -1):
        back = self.changes @ (fits[later] * back)
        back /= back.sum()
      late[index] = forward[index] * back / (forward[index] * back).sum()
    late[:, 4] += late[:, 6]
    return late[:, :6]


# StepFrequency.swift.
GRID = 0.9 + 0.05 * numpy.arange(55)
RESOLUTION = 25 / 256
LINES = 83
FREQUENCY_NAMES = ["step", "double", "half", "strideSway", "stepSway", "stepCorrelation", "strideCorrelation", "strength", "logarithm",
                   "square"]


def frequency_inputs(deviation, spectra):
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

  strength, columns = numpy.log(deviation + 0.02), []
  for frequency in GRID:
    logarithm = numpy.log(frequency / 1.8)
    columns.append(numpy.column_stack([
      share(norm, 0.5, frequency), share(norm, 0.5, 2 * frequency), share(norm, 0.5, frequency / 2), share(sway, 0.3, frequency / 2),
      share(sway, 0.3, frequency), correlation(25 / frequency), correlation(50 / frequency), logarithm * strength,
      numpy.full(len(strength), logarithm), numpy.full(len(strength), logarithm**2)]))
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
