import type { PlacedHit, RecallHit } from '../../core/memory/recalled-context'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Tokens } from '../../core/units/units'

/** A piece of memory that is examined for a prompt. */
export type RecallRow = {
  readonly key: string
  readonly source: string
  readonly origin: string
  readonly score: string
  /** What becomes of it. */
  readonly fate: 'recalled' | 'cut' | 'no room' | 'too unlike' | 'beyond the number'
  readonly text: string
}

/** What would be recalled for a prompt now. */
export type RecallPreview = {
  readonly prompt: string
  /** Semantic history is switched on in the operator's files. */
  readonly isOn: boolean
  readonly rows: readonly RecallRow[]
  readonly tokens: Tokens
  readonly budget: number
  readonly minScore: number
  readonly maxChunks: number
  /** What is indexed. */
  readonly sources: number
  readonly pieces: number
  /** More is being indexed: another check finds more. */
  readonly isIndexing: boolean
  /** What the budget is a share of where the window is unknown; null where it is known. */
  readonly assumedWindow: number | null
  readonly problems: readonly string[]
}

/** Shown of a prompt, and of each piece. Characters. */
const [SHOWN_PROMPT, SHOWN_TEXT] = [2_000, 600]

type Looked = RecallHit & { readonly origin: string; readonly sourceId: string; readonly line: number }

export function recallPreview(
  prompt: string,
  recalled: {
    readonly looked: readonly Looked[]
    readonly placed: readonly PlacedHit[]
    readonly left: readonly RecallHit[]
    readonly tokens: Tokens
    readonly budget: number
    readonly warnings: readonly string[]
  },
  semantic: { readonly enabled: boolean; readonly minScore: number; readonly maxChunks: number },
  sums: Pick<RecallPreview, 'sources' | 'pieces' | 'isIndexing' | 'assumedWindow'>,
): RecallPreview {
  const { looked, placed, left, tokens, budget, warnings } = recalled
  const outcomeOf = (piece: Looked): RecallRow['fate'] => {
    const own = placed.find((hit) => hit.source === piece.source && hit.text === piece.text)
    if (own !== undefined) return own.cut ? 'cut' : 'recalled'
    if (left.some((hit) => hit.source === piece.source && hit.text === piece.text)) return 'no room'
    return piece.score < semantic.minScore ? 'too unlike' : 'beyond the number'
  }
  return {
    prompt: maskSecrets(prompt).slice(0, SHOWN_PROMPT),
    isOn: semantic.enabled,
    rows: looked.map((piece, place) => ({
      key: `${place} ${piece.sourceId}:${piece.line}`,
      source: maskSecrets(piece.source),
      origin: piece.origin,
      score: piece.score.toFixed(2),
      fate: outcomeOf(piece),
      text: maskSecrets(piece.text).slice(0, SHOWN_TEXT),
    })),
    tokens,
    budget,
    minScore: semantic.minScore,
    maxChunks: semantic.maxChunks,
    ...sums,
    problems: warnings.map(maskSecrets),
  }
}
