import { maskSecrets } from '../../core/redaction/secrets'
import { entryText } from '../../core/replay/entry-text'
import type { ReplayEntry } from '../../core/replay/replay-entry'
import { CHUNK_FLAGS, NEED_KINDS, REPLAY_KINDS, type ReplayCalls } from '../../core/replay/replay-session'
import { CORPUS } from '../corpus'
import { type LabMaterial, labMaterial } from './lab-material'
import type { Bench } from './report'

/** Cases that are listed, and the age in calls from which on a source is taken to have left the window. */
const [CASES, GONE] = [200, 10]
const AROUND = 110

/** Needs that keeping the last ten calls would leave unmet, with their evidence, to be judged by hand. */
export const labCasesBench: Bench = {
  name: 'lab-cases',
  title: 'Needs that would be lost, to be judged by hand',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: there is nothing to judge')
      return []
    }
    const cases = (await labMaterial(CORPUS)).filter(({ isReal }) => isReal).flatMap(casesOf)
    for (const [i, { text }] of evenly(cases).entries()) log(`${i + 1}. ${text}`)
    return []
  },
}

type Case = { readonly kind: string; readonly text: string }

/** As many of each kind as there are, until there are enough; spread over the sessions. */
function evenly(cases: readonly Case[]): Case[] {
  const kinds = NEED_KINDS.map((kind) => cases.filter((one) => one.kind === kind)).filter(
    ({ length }) => length > 0,
  )
  const each = kinds.toSorted((a, b) => a.length - b.length)
  const chosen: Case[] = []
  for (const [i, list] of each.entries()) {
    const share = Math.floor((CASES - chosen.length) / (each.length - i))
    const count = Math.min(share, list.length)
    for (let k = 0; k < count; k++) chosen.push(list[Math.floor((k * list.length) / count)] as Case)
  }
  return chosen
}

function casesOf({ replay, entries, owner }: LabMaterial): Case[] {
  const { needs, spans, chunks, calls } = replay
  const texts = new Map(
    entries.map(({ fact, message }) => [fact.seq, message === null ? '' : entryText(message).text]),
  )
  const found: Case[] = []
  for (let n = 0; n < needs.count; n++) {
    const sources = needs.source.subarray(needs.offset[n], needs.offset[n + 1])
    const at = needs.at[n] as number
    const kind = NEED_KINDS[needs.kind[n] as number] ?? ''
    if (kind === 'rule' || sources.some((chunk) => (chunks.born[chunk] as number) > at - GONE)) continue
    const last = sources.at(-1) as number
    const span = spans.texts[needs.span[n] as number] ?? ''
    const source = (texts.get(chunks.entry[last] as number) ?? '').slice(chunks.from[last], chunks.to[last])
    const use = written(entries, calls, at)
    const locator = ((chunks.flags[last] as number) & CHUNK_FLAGS.locator) !== 0 ? ', can be looked up' : ''
    found.push({
      kind,
      text: maskSecrets(
        [
          `${kind} ${JSON.stringify(span)} weight ${(needs.weight[n] as number).toFixed(2)} (${owner})`,
          `   had by ${sources.length}, last a ${REPLAY_KINDS[chunks.kind[last] as number]} before call ${chunks.born[last]}${locator}: ${around(source, span)}`,
          `   written by call ${at}: ${around(use, span)}`,
        ].join('\n'),
      ),
    })
  }
  return found
}

/** All that a call wrote: some runtimes keep an answer in several records. */
function written(entries: readonly ReplayEntry[], calls: ReplayCalls, at: number): string {
  const next = calls.entry[at + 1] ?? Number.POSITIVE_INFINITY
  return entries
    .filter(
      ({ fact, message }) =>
        message?.role === 'assistant' && fact.seq >= (calls.entry[at] as number) && fact.seq < next,
    )
    .map(({ message }) => (message === null ? '' : entryText(message).text))
    .join('\n')
}

/** Where a text has a span, as one line; its beginning where it has it in other letters. */
function around(text: string, span: string): string {
  const at = Math.max(0, text.indexOf(span.slice(0, 40)))
  const piece = text.slice(Math.max(0, at - AROUND), at + span.slice(0, 40).length + AROUND)
  return JSON.stringify(piece)
}
