import type { Losses, LostSpan } from '../../core/compaction/lost'
import { SPAN_CLASSES, type SpanClass } from '../../core/relevance/spans'

/** Names of one class that are listed. */
const SHOWN = 40
const SHOWN_SENTENCES = 20

type Place = { readonly line: number; readonly seq: number | null }

type LostName = {
  readonly text: string
  readonly times: number
  /** Where it stood last, and where the model wrote it again; null when it never did. */
  readonly at: Place
  readonly cameBack: Place | null
}

/** Names of one class. */
export type LossGroup = {
  readonly kind: SpanClass
  readonly label: string
  /** Distinct names before, lost of them, and come back of those. */
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

const LABELS: { readonly [K in SpanClass]: string } = {
  path: 'Paths',
  url: 'Addresses',
  uuid: 'UUIDs',
  hex: 'Hashes',
  host: 'Hosts',
  email: 'Mail addresses',
  error: 'Errors',
  identifier: 'Identifiers',
  number: 'Numbers',
  quoted: 'Quotations',
}

/**
 * Losses for the page: by class, those first of which most came back, and in each what came back first.
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
  const groups = SPAN_CLASSES.flatMap((kind): LossGroup[] => {
    const { before, lost } = counts[kind] ?? { before: 0, lost: 0 }
    if (before === 0) return []
    const own = spans.filter((span) => span.kind === kind)
    const names = own.slice(0, SHOWN).map(
      (span): LostName => ({
        text: cover(span.text),
        times: span.times,
        at: place(span),
        cameBack: span.cameBack === null ? null : place(span.cameBack),
      }),
    )
    return [{ kind, label: LABELS[kind], before, lost, back: own.filter(isBack).length, names }]
  })
  groups.sort((a, b) => b.back - a.back || b.lost - a.lost)
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
