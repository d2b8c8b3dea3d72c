import type { UndoAction } from '@/components/audit/undo-dialog'
import type { ColdAnswer, ColdName, DownloadAnswer, PurgePreview } from '@/lib/view/cold-storage'

/** What the screen can do; server actions. */
export type ColdActions = {
  readonly recover: (
    name: ColdName,
    place: {
      readonly session: string
      readonly wanted: 'neighbourhood' | 'end'
      /** What was looked for when it was found. */
      readonly query: string
    },
  ) => Promise<ColdAnswer>
  readonly download: (name: ColdName, query: string) => Promise<DownloadAnswer>
  readonly extend: (name: ColdName, days: number) => Promise<ColdAnswer>
  /** A text says why it cannot be told. */
  readonly previewPurge: () => Promise<PurgePreview | string>
  readonly purge: (stamp: string) => Promise<ColdAnswer>
  readonly undo: UndoAction
}
