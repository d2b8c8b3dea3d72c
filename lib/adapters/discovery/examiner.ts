import type { AgentDatabases } from '../stores/agent-databases'
import type { RuntimeFiles } from '../stores/openclaw-settings'
import type { Recall } from './recall'

/** What looking into a place needs and remembers. */
export type Examiner = {
  readonly files: RuntimeFiles
  readonly databases: AgentDatabases
  /** Stores as an earlier check found them. */
  readonly recall: Recall
  /** Shortens paths for labels. */
  readonly home: string
}
