import type { ComponentType } from 'react'
import { ShortcutList } from '@/components/ui/shortcut-list'
import type { HelpPart } from '@/lib/view/help/help-index'
import { HelpCompaction } from './help-compaction'
import { HelpDuties } from './help-duties'
import { HelpCategories, HelpEstimates, HelpFigures, HelpTotals } from './help-figures'
import { HelpFindings } from './help-findings'
import { HelpKnobs } from './help-knobs'
import { HelpLab } from './help-lab'
import { HelpLines } from './help-lines'
import { HelpMemory } from './help-memory'
import { HelpPeers } from './help-peers'
import { HelpPruning } from './help-pruning'
import { HelpCost, HelpForecast, HelpLive, HelpStores } from './help-reading'
import { HelpRelevance } from './help-relevance'
import { HelpRemedies } from './help-remedies'
import { HelpSafety } from './help-safety'
import { HelpWords } from './help-words'

/** What each part of the help says. */
export const HELP_PARTS: { readonly [P in HelpPart]: ComponentType } = {
  words: HelpWords,
  figures: HelpFigures,
  totals: HelpTotals,
  'beside-ccusage': HelpPeers,
  estimates: HelpEstimates,
  categories: HelpCategories,
  'load-lines': HelpLines,
  knobs: HelpKnobs,
  compactions: HelpCompaction,
  pruning: HelpPruning,
  'cold-storage': HelpRelevance,
  memory: HelpMemory,
  findings: HelpFindings,
  remedies: HelpRemedies,
  lab: HelpLab,
  forecast: HelpForecast,
  'sums-of-cost': HelpCost,
  live: HelpLive,
  stores: HelpStores,
  safety: HelpSafety,
  library: HelpDuties,
  keyboard: ShortcutList,
}
