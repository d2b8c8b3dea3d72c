import { precisionsOf } from '../../../core/replay/needs/need-precision'
import { packReplay } from '../../../core/replay/pack-replay'
import type { CacheFit } from '../../../core/replay/replay-session'
import { scanKeys } from '../../../core/replay/spans/scan-keys'
import { entryText } from '../../../core/replay/texts/entry-text'
import { preparedAtOnce } from '../prepared-at-once'
import type { Measurement } from '../report'
import type { LabMaterial } from './lab-material'

const ROUNDS = 12

/** How far the recorded use of the cache is reproduced, by runtime. */
export function calibration(material: readonly LabMaterial[]): Measurement[] {
  const runtimes = [...new Set(material.map(({ store }) => store.kind))]
  return runtimes.flatMap((runtime): Measurement[] => {
    const fits = material
      .filter(({ isReal, store }) => isReal && store.kind === runtime)
      .map(({ replay }) => replay)
      .filter(({ fit }) => fit.compared > 0)
    if (fits.length === 0) return []
    const sum = (of: (one: (typeof fits)[number]) => number) => fits.reduce((all, one) => all + of(one), 0)
    const exact = fits.filter(({ fit: { money } }) => money !== null && Math.abs(money - 1) <= 0.05).length
    return [
      {
        what: `${runtime}: cache reads that are reproduced`,
        value: (100 * sum(({ fit }) => fit.matched)) / sum(({ fit }) => fit.compared),
        unit: '%',
        limit: null,
        note:
          `${sum(({ fit }) => fit.matched)} of ${sum(({ fit }) => fit.compared)} calls; money within 5 % in ` +
          `${exact} of ${fits.length} sessions: ` +
          fits.map(({ fit }) => moneyText(fit)).join(', '),
      },
      {
        what: `${runtime}: prompts against our count, median miss of the worst session`,
        value: Math.max(...fits.map(({ sizeErrorPct }) => sizeErrorPct ?? 0)),
        unit: '%',
        limit: 5,
      },
    ]
  })
}

function moneyText({ money, moneyByTimes, rewrites, coldStarts }: CacheFit): string {
  const cold = coldStarts.length === 0 ? '' : `, ${moneyByTimes} without ${coldStarts.length} cold starts`
  return `${money}${rewrites === null ? cold : ` (writes × ${rewrites}${cold})`}`
}

/** What recorded compactions say of each kind of need. */
export function precision(material: readonly LabMaterial[]): Measurement[] {
  const counts = material.filter(({ isReal }) => isReal).map(({ replay }) => replay.writtenAgain)
  return precisionsOf(counts).flatMap(({ kind, precision: value, shown, unseen }): Measurement[] => {
    if (shown + unseen === 0) return []
    return [
      {
        what: `precision of ${kind}, by compactions that were recorded`,
        value: 100 * value,
        unit: '%',
        limit: null,
        note: `${shown} shown again first, ${unseen} not`,
      },
    ]
  })
}

/** Processor time of the scanner and of the whole preparation, and whether it always gives the same bytes. */
export function speed(material: readonly LabMaterial[]): Measurement[] {
  const texts = material.flatMap(({ entries }) =>
    entries.flatMap(({ message }) => (message === null ? [] : entryText(message).text)),
  )
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6
  let spans = 0
  const scan = timed(() => {
    for (const text of texts)
      scanKeys(text, null, () => {
        spans += 1
      })
  })
  const prepare = timed(() => {
    for (const { source, entries } of material) preparedAtOnce(source, entries)
  })
  const other = material.filter(
    ({ source, entries, alone }) =>
      !Buffer.from(packReplay(alone)).equals(packReplay(preparedAtOnce(source, entries))),
  )
  const sizes = material.map(
    ({ replay }) => (360 * packReplay(replay).length) / Math.max(1, replay.chunks.count),
  )
  return [
    {
      what: 'scanner for needs, processor time of a megabyte',
      value: scan / megabytes,
      unit: 'ms',
      limit: 100,
      note: `${((1_000 * megabytes) / scan).toFixed(1)} MB/s over ${megabytes.toFixed(1)} MB, ${spans / ROUNDS} spans`,
    },
    {
      what: 'whole preparation, processor time of a megabyte of text',
      value: prepare / megabytes,
      unit: 'ms',
      limit: null,
    },
    { what: 'sessions that came out otherwise the second time', value: other.length, unit: '', limit: 0 },
    {
      what: 'packed, for 360 chunks, largest',
      value: Math.max(...sizes) / 1_000,
      unit: 'KB',
      limit: null,
    },
  ]
}

/** User time of the fastest of some rounds, in milliseconds. */
function timed(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage().user
    work()
    best = Math.min(best, (process.cpuUsage().user - before) / 1_000)
  }
  return best
}
