import type { SummaryMaterial } from '../../engine/summary/write-summary'

/** What a summary is written from: these parts, and nothing beside them but what a test adds. */
export function summaryMaterial(
  parts: SummaryMaterial['parts'],
  more: Partial<SummaryMaterial> = {},
): SummaryMaterial {
  return {
    pruned: [],
    parts,
    prefix: [],
    oversized: [],
    previous: null,
    archive: [],
    newestAsk: null,
    recentTurns: [],
    workspaceRules: null,
    ...more,
  }
}
