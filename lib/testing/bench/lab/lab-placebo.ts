import { ARGUMENT, PROSE } from '../../../core/replay/needs/call-output'
import { PRIOR_PRECISION } from '../../../core/replay/needs/need-precision'
import { LEAST_WEIGHT, NEED_WEIGHTS } from '../../../core/replay/needs/need-weights'
import type { ReplayEntry } from '../../../core/replay/replay-entry'
import { NEED_KINDS, type ReplaySession } from '../../../core/replay/replay-session'
import { copiesIn } from '../../../core/replay/spans/copies'
import { HoldingText } from '../../../core/replay/spans/held-spans'
import { PrintHolders } from '../../../core/replay/spans/print-holders'
import { partsOfKey, scanKeys } from '../../../core/replay/spans/scan-keys'
import { rarityOf } from '../../../core/replay/spans/shared-spans'
import { spanHash } from '../../../core/replay/spans/span-hash'
import { SpanStops } from '../../../core/replay/spans/span-stops'
import { forPrints } from '../../../core/replay/spans/winnowing'
import { entryText } from '../../../core/replay/texts/entry-text'
import { isCall } from '../../../core/transcript/context'
import type { Measurement } from '../report'
import type { LabMaterial } from './lab-material'

type NeedKind = (typeof NEED_KINDS)[number]
type Weights = { readonly [K in NeedKind]: number }

const NONE = Object.fromEntries(NEED_KINDS.map((kind) => [kind, 0])) as Weights

/** Matches of one owner's outputs in the chunks of another one, who cannot have given them anything. */
export function placebo(material: readonly LabMaterial[]): Measurement[] {
  let [real, chance, rules, heldRules] = [NONE, NONE, 0, 0]
  let [alone, aloneChance] = [NONE, NONE]
  for (const one of material)
    for (const other of material) {
      if (one.owner === other.owner || !one.isReal || !other.isReal) continue
      real = plus(real, needsOf(one.replay))
      chance = plus(chance, chanceOf(one, other, true))
      alone = plus(alone, needsOf(one.alone))
      aloneChance = plus(aloneChance, chanceOf(one, other, false))
      const own = rulesOf(one)
      rules += own.length
      heldRules += heldBy(own, other)
    }
  const all = (weights: Weights) =>
    NEED_KINDS.reduce((sum, kind) => sum + (kind === 'rule' ? 0 : weights[kind]), 0)
  const share = (part: number, of: number) => (of > 0 ? (100 * part) / of : 0)
  return [
    {
      what: 'placebo: weight matched by chance of what is needed',
      value: share(all(chance), all(real)),
      unit: '%',
      limit: 1.5,
      note: NEED_KINDS.filter((kind) => kind !== 'rule' && real[kind] > 0)
        .map((kind) => `${kind} ${share(chance[kind], real[kind]).toFixed(1)}`)
        .join(', '),
    },
    {
      what: 'the same with every span taken as rare',
      value: share(all(aloneChance), all(alone)),
      unit: '%',
      limit: null,
      note: NEED_KINDS.filter((kind) => kind !== 'rule' && alone[kind] > 0)
        .map((kind) => `${kind} ${share(aloneChance[kind], alone[kind]).toFixed(1)}`)
        .join(', '),
    },
    {
      what: 'placebo: rules that another owner’s session says as well',
      value: share(heldRules, rules),
      unit: '%',
      limit: 0.5,
      note: `${heldRules} of ${rules}`,
    },
  ]
}

function plus(a: Weights, b: Weights): Weights {
  return Object.fromEntries(NEED_KINDS.map((kind) => [kind, a[kind] + b[kind]])) as Weights
}

function needsOf({ needs }: ReplaySession): Weights {
  const sums: { [K in NeedKind]?: number } = {}
  for (let n = 0; n < needs.count; n++) {
    const kind = NEED_KINDS[needs.kind[n] as number] as NeedKind
    sums[kind] = (sums[kind] ?? 0) + (needs.weight[n] as number)
  }
  return { ...NONE, ...sums }
}

/** What a session wrote, as if it were needed from all of another one. */
function chanceOf(
  { entries, source, weighing }: LabMaterial,
  other: LabMaterial,
  isWeighed: boolean,
): Weights {
  const { shared, precision } = weighing
  const rarity = (key: string) => (isWeighed ? rarityOf(shared, spanHash(key)) : 1)
  const known = new Set<string>()
  const prints = new PrintHolders()
  for (const [chunk, text] of textsOf(other).entries()) {
    scanKeys(text, other.source.cwd, (kind, key) => {
      known.add(key)
      for (const part of partsOfKey(kind, key)) known.add(part)
    })
    forPrints(text, (print) => prints.add(print, chunk))
  }
  const sums: { [K in NeedKind]?: number } = {}
  const stops = new SpanStops(source.cwd)
  let written = new Map<string, { readonly kind: NeedKind; readonly role: number }>()
  const close = () => {
    for (const [key, { kind, role }] of written) {
      const weight =
        NEED_WEIGHTS[kind] * role * rarity(key) * (precision[NEED_KINDS.indexOf(kind)] ?? PRIOR_PRECISION)
      if (known.has(key) && weight >= LEAST_WEIGHT) sums[kind] = (sums[kind] ?? 0) + weight
    }
    written = new Map()
  }
  for (const { fact, message } of entries) {
    if (isCall(fact)) close()
    if (message?.role !== 'assistant') continue
    const { text, parts } = entryText(message)
    for (const { from, to, call } of parts) {
      if (call !== null) {
        stops.learn(call.of.name, Object.keys(call.of.input))
        const argument = text.slice(call.args, to)
        for (const { share } of copiesIn(argument, prints, Number.POSITIVE_INFINITY, (chunk) => chunk))
          sums.copy =
            (sums.copy ?? 0) +
            NEED_WEIGHTS.copy * share * (precision[NEED_KINDS.indexOf('copy')] ?? PRIOR_PRECISION)
      }
      scanKeys(text.slice(call?.args ?? from, to), source.cwd, (kind, key) => {
        const role = call === null ? PROSE : ARGUMENT
        if (!stops.has(key, kind) && (written.get(key)?.role ?? 0) < role) written.set(key, { kind, role })
      })
    }
  }
  close()
  return { ...NONE, ...sums }
}

function textsOf({ entries }: { readonly entries: readonly ReplayEntry[] }): string[] {
  return entries.flatMap(({ message }) => (message === null ? [] : entryText(message).text))
}

function rulesOf({ replay: { needs, spans } }: LabMaterial): string[] {
  const rules: string[] = []
  for (let n = 0; n < needs.count; n++)
    if (NEED_KINDS[needs.kind[n] as number] === 'rule') rules.push(spans.texts[needs.span[n] as number] ?? '')
  return rules
}

/** How many rules any single text of a session holds. */
function heldBy(rules: readonly string[], other: LabMaterial): number {
  if (rules.length === 0) return 0
  const texts = textsOf(other).map((text) => new HoldingText(text, null))
  return rules.filter((text) => texts.some((one) => one.holds({ text, kind: 'rule' }, () => false))).length
}
