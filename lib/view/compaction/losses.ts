import type { Losses, LostSpan } from '../../core/compaction/lost'
import { SPAN_CLASSES, type SpanClass } from '../../core/relevance/spans'

/** Names of one class that are sent to the page, which lists a few of them and searches all. */
const MOST_NAMES = 200
const SHOWN_SENTENCES = 20

type Place = { readonly line: number; readonly seq: number | null }

type LostName = {
  readonly text: string
  readonly times: number
  /** Where it was last, and where the model wrote it again; null when it never did. */
  readonly at: Place
  readonly cameBack: Place | null
}

/** Names of one class; `ordinary`: those of any class that say little (`this.ui`, `/login`). */
export type LossGroup = {
  readonly kind: SpanClass | 'ordinary'
  readonly label: string
  /** Distinct names before, lost of them, and come back of those. Of ordinary ones only the lost are counted. */
  readonly before: number
  readonly lost: number
  readonly back: number
  readonly names: readonly LostName[]
}

/** What a compaction lost, by name, with credentials covered. Plain data. */
export type LossesView = {
  readonly before: number
  readonly lost: number
  readonly back: number
  readonly groups: readonly LossGroup[]
  readonly sentences: readonly {
    readonly kind: 'decision' | 'ask'
    readonly text: string
    readonly at: Place
  }[]
  readonly moreSentences: number
}

/** Classes in the order of the page: what changes the work first, what is in the code anyway last. */
const CLASSES: { readonly [K in SpanClass]: { readonly place: number; readonly label: string } } = {
  error: { place: 1, label: 'Errors' },
  path: { place: 2, label: 'Paths' },
  number: { place: 3, label: 'Numbers' },
  url: { place: 4, label: 'Addresses' },
  host: { place: 5, label: 'Hosts' },
  uuid: { place: 6, label: 'UUIDs' },
  hex: { place: 7, label: 'Hashes' },
  email: { place: 8, label: 'Mail addresses' },
  quoted: { place: 9, label: 'Quotations' },
  identifier: { place: 10, label: 'Identifiers' },
}
const IN_ORDER = SPAN_CLASSES.toSorted((a, b) => CLASSES[a].place - CLASSES[b].place)

/**
 * Losses for the page: by class, errors, paths and numbers first, identifiers last; in each what the model wrote again
 * first, then what was used most.
 * @param cover takes credentials out of a text
 */
export function lossesView(
  { spans, sentences, counts }: Losses,
  cover: (text: string) => string,
  seqOf: (entryId: string) => number | null,
): LossesView {
  const place = ({ entryId, line }: { entryId: string; line: number }): Place => ({
    line,
    seq: seqOf(entryId),
  })
  const groupOf = (kind: LossGroup['kind'], label: string, before: number, own: readonly LostSpan[]) => ({
    kind,
    label,
    before,
    lost: own.length,
    back: own.filter(isBack).length,
    names: own
      .toSorted(byUse)
      .slice(0, MOST_NAMES)
      .map(
        (span): LostName => ({
          text: cover(span.text),
          times: span.times,
          at: place(span),
          cameBack: span.cameBack === null ? null : place(span.cameBack),
        }),
      ),
  })
  const ordinary = spans.filter(isOrdinary)
  const groups = IN_ORDER.flatMap((kind): LossGroup[] => {
    const { before = 0 } = counts[kind] ?? {}
    const left = before - ordinary.filter((span) => span.kind === kind).length
    const own = spans.filter((span) => span.kind === kind && !isOrdinary(span))
    return left === 0 ? [] : [groupOf(kind, CLASSES[kind].label, left, own)]
  })
  if (ordinary.length > 0) groups.push(groupOf('ordinary', 'Short names in code', ordinary.length, ordinary))
  const add = (name: 'before' | 'lost' | 'back') => groups.reduce((sum, group) => sum + group[name], 0)
  return {
    before: add('before'),
    lost: add('lost'),
    back: add('back'),
    groups,
    sentences: sentences
      .slice(0, SHOWN_SENTENCES)
      .map((sentence) => ({ kind: sentence.kind, text: cover(sentence.text), at: place(sentence) })),
    moreSentences: Math.max(0, sentences.length - SHOWN_SENTENCES),
  }
}

function isBack({ cameBack }: LostSpan): boolean {
  return cameBack !== null
}

function byUse(a: LostSpan, b: LostSpan): number {
  return Number(isBack(b)) - Number(isBack(a)) || b.times - a.times || (a.text < b.text ? -1 : 1)
}

/** A member of what one function calls `c`, or of `this`; a route of one word. The code that is read again has them. */
const MEMBER = /^(this|self|super|cls|[A-Za-z_$]{1,2})\./
const ONE_WORD_ROUTE = /^\/[\w-]+$/

function isOrdinary({ kind, text }: LostSpan): boolean {
  return (kind === 'identifier' && MEMBER.test(text)) || (kind === 'path' && ONE_WORD_ROUTE.test(text))
}
