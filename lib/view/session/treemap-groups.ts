import type { SystemPromptReport } from '../../core/transcript/session-index'
import { CATEGORY_VIEWS } from '../charts/category'
import type { TreemapGroup, TreemapItem } from '../charts/treemap'
import { formatCount } from '../text/format'
import type { Composition } from './composition'
import type { ContextWhole } from './context-page'
import { fixedPieces } from './fixed-parts'

/**
 * The tiles of one call: its entries where they are known, the pieces of its fixed part where the runtime reported
 * them, else one tile per category.
 */
export function compositionGroups(
  composition: Composition,
  whole: ContextWhole | null,
  report: SystemPromptReport | null,
): TreemapGroup[] {
  const tokensOf = (category: string) =>
    composition.rows.find((row) => row.category === category)?.tokens.value ?? 0
  const pieces = report === null ? [] : fixedPieces(report, tokensOf)
  return composition.rows.flatMap(({ category, tokens }) => {
    if (tokens.value === null || tokens.value <= 0) return []
    const { label } = CATEGORY_VIEWS[category]
    const fixed = pieces.find((group) => group.category === category)
    if (fixed?.pieces.some((piece) => piece.tokens > 0)) {
      return [
        {
          category,
          items: fixed.pieces.map((piece) => ({
            label: `${label}: ${piece.name}`,
            short: piece.name,
            tokens: piece.tokens,
          })),
        },
      ]
    }
    const entries = whole?.groups.find((group) => group.category === category)
    if (entries && entries.items.length > 0)
      return [{ category, items: entries.items.map((item) => named(item, label)) }]
    return [{ category, items: [{ label, short: label, tokens: tokens.value }] }]
  })
}

function named(item: TreemapItem, label: string): TreemapItem {
  if (item.merged !== undefined) {
    const short = `${formatCount(item.merged)} smaller`
    return { ...item, label: `${label}: ${short} ones`, short }
  }
  return item.label === '' ? { ...item, label, short: label } : { ...item, label: `${label}: ${item.label}` }
}
