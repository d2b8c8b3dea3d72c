import type { UndoAction } from '@/components/audit/undo-dialog'
import type { ColdAnswer, ColdName, DownloadAnswer, PurgePreviewAnswer } from '@/lib/view/cold/cold-storage'

/** What the screen can do; server actions. */
export type ColdActions = {
  readonly recover: (
    name: ColdName,
    place: {
      readonly session: string
      readonly wanted: 'neighbourhood' | 'end'
      /** What was searched for when it was found. */
      readonly query: string
    },
  ) => Promise<ColdAnswer>
  readonly download: (name: ColdName, query: string) => Promise<DownloadAnswer>
  readonly extend: (name: ColdName, days: number) => Promise<ColdAnswer>
  readonly previewPurge: () => Promise<PurgePreviewAnswer>
  readonly purge: (stamp: string) => Promise<ColdAnswer>
  readonly undo: UndoAction
}
