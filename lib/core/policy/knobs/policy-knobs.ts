import { BOOTSTRAP_KNOBS, PROMPT_CACHE_KNOBS } from './bootstrap'
import { BUDGET_KNOBS, COUNTING_KNOBS, LEDGER_KNOBS, RESERVE_KNOBS } from './budget'
import { COLD_STORAGE_KNOBS } from './cold-storage'
import { COMPACTION_KNOBS } from './compaction'
import { FLUSH_KNOBS } from './flush'
import { HISTORY_KNOBS } from './history'
import { group } from './knob'
import { LINES_KNOBS } from './lines'
import { LOGS_KNOBS } from './logs'
import { PRUNING_KNOBS } from './pruning'
import { RECALL_KNOBS } from './recall'
import { RELEVANCE_KNOBS } from './relevance'
import { SUMMARY_KNOBS } from './summary'
import { WINDOW_KNOBS } from './window'

/** Every knob of the policy, in the order of its documents. The schema, the defaults, the form and the help are made of it. */
export const POLICY_KNOBS = group({
  window: WINDOW_KNOBS,
  budget: BUDGET_KNOBS,
  reserve: RESERVE_KNOBS,
  ledger: LEDGER_KNOBS,
  lines: LINES_KNOBS,
  counting: COUNTING_KNOBS,
  history: HISTORY_KNOBS,
  compaction: COMPACTION_KNOBS,
  summary: SUMMARY_KNOBS,
  relevance: RELEVANCE_KNOBS,
  coldStorage: COLD_STORAGE_KNOBS,
  pruning: PRUNING_KNOBS,
  semantic: RECALL_KNOBS,
  bootstrap: BOOTSTRAP_KNOBS,
  promptCache: PROMPT_CACHE_KNOBS,
  flush: FLUSH_KNOBS,
  logs: LOGS_KNOBS,
})
