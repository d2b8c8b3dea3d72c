import { SPAN_WEIGHTS, type Span, type SpanClass, scanSpans } from '../relevance/spans'
import { forSpans } from '../summary/message-spans'
import { isAsk, isDecision, sentencesOf } from '../summary/sentences'
import type { SourceMessage } from '../summary/source-message'
import { eachInSteps, finish, type Steps } from '../summary/steps'

/** A name of what was summarised that is nowhere in the context any more. */
export type LostSpan = {
  readonly kind: SpanClass
  readonly text: string
  /** The last entry that held it, and how many did. */
  readonly entryId: string
  readonly line: number
  readonly times: number
  /** The first entry after the compaction in which the model wrote it again; null when it never did. */
  readonly cameBack: { readonly entryId: string; readonly line: number } | null
}

/** A decision or an open request whose words are gone. */
type LostSentence = {
  readonly kind: 'decision' | 'ask'
  readonly text: string
  readonly entryId: string
  readonly line: number
}

export type Losses = {
  /** Those that came back first, then by weight. */
  readonly spans: readonly LostSpan[]
  readonly sentences: readonly LostSentence[]
  /** Distinct names in what was summarised, and those of them that are lost; by class. */
  readonly counts: { readonly [K in SpanClass]?: { readonly before: number; readonly lost: number } }
}

export type Compacted = {
  /** Messages that the compaction took out of the context. */
  readonly summarised: readonly SourceMessage[]
  readonly summary: string
  /** Messages that stayed. */
  readonly kept: readonly SourceMessage[]
  /** What came after it, up to the end or the next boundary. */
  readonly later: readonly SourceMessage[]
}

/** Sentences that keep fewer than this share of their telling words are gone. */
const KEPT_WORDS = 0.5
/** Sentences of one compaction that are examined. */
const MOST_SENTENCES = 400

/**
 * What a compaction lost, by name: spans by literal match, hexadecimal ones whatever their case, paths also by their
 * last part where that is one path's alone. No likeness is taken for sameness, so that more may be alive than this
 * says, never less (lib/docs/relevance.md#needs).
 */
export function lossesOf(compacted: Compacted): Losses {
  return finish(lossesInSteps(compacted))
}

/** The same with pauses: of a long session it takes about a second. */
export function* lossesInSteps({ summarised, summary, kept, later }: Compacted): Steps<Losses> {
  const before = yield* seenIn(summarised)
  const alive = yield* aliveIn(summary, kept)
  yield
  const basenames = countBasenames(before.keys())
  const lost = new Map<string, Sighting>()
  const counts: { [K in SpanClass]?: { before: number; lost: number } } = {}
  for (const [text, seen] of before) {
    counts[seen.kind] ??= { before: 0, lost: 0 }
    const count = counts[seen.kind] as { before: number; lost: number }
    count.before += 1
    if (isAlive(text, seen.kind, alive, basenames)) continue
    count.lost += 1
    lost.set(text, seen)
  }
  const back = returns(later, lost)
  const spans = [...lost].map(
    ([text, { kind, message, times }]): LostSpan => ({
      kind,
      text,
      entryId: message.entryId,
      line: message.line,
      times,
      cameBack: back.get(text) ?? null,
    }),
  )
  spans.sort(
    (a, b) =>
      Number(b.cameBack !== null) - Number(a.cameBack !== null) ||
      weightOf(b) - weightOf(a) ||
      (a.text < b.text ? -1 : 1),
  )
  yield
  return { spans, sentences: lostSentences(summarised, alive), counts }
}

function weightOf({ kind, times }: LostSpan): number {
  return SPAN_WEIGHTS[kind] * (1 + Math.log2(times))
}

type Sighting = { readonly kind: SpanClass; message: SourceMessage; times: number }

function* seenIn(messages: readonly SourceMessage[]): Steps<Map<string, Sighting>> {
  const seen = new Map<string, Sighting>()
  yield* eachInSteps(messages, (message) => {
    forSpans(message, ({ kind, text }) => {
      const known = seen.get(text)
      if (known === undefined) seen.set(text, { kind, message, times: 1 })
      else if (known.message !== message) {
        known.message = message
        known.times += 1
      }
    })
  })
  return seen
}

type Alive = {
  readonly spans: ReadonlySet<string>
  readonly lower: ReadonlySet<string>
  readonly summary: string
  readonly words: ReadonlySet<string>
}

function* aliveIn(summary: string, kept: readonly SourceMessage[]): Steps<Alive> {
  const spans = new Set<string>()
  const words = new Set<string>()
  const take = ({ text }: Span) => spans.add(text)
  const learn = (text: string) => {
    for (const word of wordsOf(text)) words.add(word)
  }
  scanSpans(summary, take)
  learn(summary)
  yield* eachInSteps(kept, (message) => {
    forSpans(message, take)
    learn(message.text)
  })
  return { spans, lower: new Set([...spans].map((text) => text.toLowerCase())), summary, words }
}

function isAlive(
  text: string,
  kind: SpanClass,
  alive: Alive,
  basenames: ReadonlyMap<string, number>,
): boolean {
  if (alive.spans.has(text)) return true
  if (kind === 'hex' || kind === 'uuid') return alive.lower.has(text.toLowerCase())
  if (kind === 'path') {
    const name = basename(text)
    if (basenames.get(name) === 1 && (alive.spans.has(name) || standsIn(alive.summary, name))) return true
  }
  return standsIn(alive.summary, text)
}

/** Whether a text holds a name that is not part of a longer one. */
function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ''
    const after = text[at + name.length] ?? ''
    if (!/\w/.test(before) && !/\w/.test(after)) return true
  }
  return false
}

function countBasenames(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) {
    if (!name.includes('/')) continue
    counts.set(basename(name), (counts.get(basename(name)) ?? 0) + 1)
  }
  return counts
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Where the model itself wrote a lost name again. */
function returns(
  later: readonly SourceMessage[],
  lost: ReadonlyMap<string, unknown>,
): Map<string, { readonly entryId: string; readonly line: number }> {
  const back = new Map<string, { readonly entryId: string; readonly line: number }>()
  for (const message of later) {
    if (message.role !== 'assistant') continue
    forSpans(message, ({ text }) => {
      if (lost.has(text) && !back.has(text)) back.set(text, { entryId: message.entryId, line: message.line })
    })
  }
  return back
}

function lostSentences(messages: readonly SourceMessage[], alive: Alive): LostSentence[] {
  const found: LostSentence[] = []
  const seen = new Set<string>()
  for (const { role, text, entryId, line } of messages.toReversed()) {
    const kind = role === 'assistant' ? 'decision' : role === 'user' ? 'ask' : null
    if (kind === null) continue
    for (const sentence of sentencesOf(text)) {
      if (seen.has(sentence.text) || !(kind === 'decision' ? isDecision(sentence) : isAsk(sentence))) continue
      seen.add(sentence.text)
      if (!isRemembered(sentence.text, alive)) found.push({ kind, text: sentence.text, entryId, line })
    }
    if (seen.size > MOST_SENTENCES) break
  }
  return found
}

/** Without a telling word nothing of it can be missed. */
function isRemembered(sentence: string, { words }: Alive): boolean {
  const telling = wordsOf(sentence)
  return telling.filter((word) => words.has(word)).length >= telling.length * KEPT_WORDS
}

/** Words of five letters and more: the short ones are in every text. */
function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, MOST_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]{5,}/gu) ?? []
  )
}

const MOST_CHARS = 100_000
