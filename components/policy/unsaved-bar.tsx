import { Button } from '@/components/ui/button'
import { RedoGlyph, UndoGlyph } from '@/components/ui/glyphs'
import { formatQuantity } from '@/lib/view/text/format'

/** Says that something is not saved yet, and leads to saving it; empty space otherwise. */
export function UnsavedBar({
  label,
  changes,
  errors,
  canUndo,
  canRedo,
  stale,
  onUndo,
  onRedo,
  onDiscard,
  onSave,
}: {
  /** Name of the file. */
  label: string
  /** Values that differ from the saved file. */
  changes: number
  errors: number
  canUndo: boolean
  canRedo: boolean
  /** The file was changed by another hand since. */
  stale: boolean
  onUndo: () => void
  onRedo: () => void
  onDiscard: () => void
  onSave: () => void
}) {
  return (
    <section
      aria-label="Unsaved changes"
      className="floating sticky bottom-18 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 md:bottom-3"
    >
      <p role="status" className="min-w-0 flex-1 text-table">
        <span className="font-medium">{`${label}: not saved`}</span>
        <span className="text-muted">
          {changes === 0 ? ' · only text, no value' : ` · ${formatQuantity(changes, 'value')} changed`}
        </span>
        {errors > 0 && <span className="text-danger">{` · ${formatQuantity(errors, 'error')}`}</span>}
        {stale && <span className="text-attention"> · the file was changed by another hand since</span>}
      </p>
      <div className="flex flex-wrap gap-1.5">
        <Button kind="quiet" onClick={onUndo} disabled={!canUndo} aria-label="Undo" title="Undo">
          <UndoGlyph />
        </Button>
        <Button kind="quiet" onClick={onRedo} disabled={!canRedo} aria-label="Redo" title="Redo">
          <RedoGlyph />
        </Button>
        <Button onClick={onDiscard}>Discard</Button>
        <Button kind="primary" onClick={onSave}>
          Review and save …
        </Button>
      </div>
    </section>
  )
}
