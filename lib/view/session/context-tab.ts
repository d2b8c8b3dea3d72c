import type { FrameSeries } from '../charts/frames-series'
import type { CallColumns } from './call-columns'
import type { SessionSummary } from './session-head'

/** Everything that the first paint of the Context tab needs. */
export type ContextTabData = {
  readonly summary: SessionSummary
  /** Frames of the whole session, and of the chosen stretch when there is one. */
  readonly all: FrameSeries
  readonly zoomed: FrameSeries | null
  /** The page of calls with the chosen one. */
  readonly page: number
  readonly calls: CallColumns
}
