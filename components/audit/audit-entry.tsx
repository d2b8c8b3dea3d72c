import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { UndoGlyph } from '@/components/ui/glyphs'
import { Moment } from '@/components/ui/time'
import type { AuditEntryView } from '@/lib/view/audit/audit'
import { formatQuantity } from '@/lib/view/text/format'
import { AuditFile } from './audit-file'

/** Files of a write that are shown at once; maintenance touches many. */
const OPEN_FILES = 5

/** One write, with its files and, while it is in force, the way back. */
export function AuditEntry({ entry, onUndo }: { entry: AuditEntryView; onUndo: () => void }) {
  return (
    <li
      id={entry.id}
      className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-4 py-3 target:bg-accent-soft last:border-0"
    >
      <div className="flex min-w-0 flex-[1_1_20rem] flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
          <span className="font-medium">{entry.kind}</span>
          <Badge tone={entry.tone} title={entry.meaning}>
            {entry.state}
          </Badge>
          <span className="text-muted">
            <Moment at={entry.at} /> by <span className="isolate-text">{entry.actor}</span>
          </span>
          {entry.session !== null && <code className="isolate-text text-label">{entry.session}</code>}
        </p>
        <p className="isolate-text max-w-[80ch]">{entry.reason}</p>
        {entry.problem !== null && (
          <p className="isolate-text max-w-[80ch] text-table text-danger">{entry.problem}</p>
        )}
        {entry.doubt !== null && (
          <p className="isolate-text max-w-[80ch] text-table text-danger">{entry.doubt}</p>
        )}
        {/* Where there are files they tell the same. */}
        {entry.files.length === 0 && entry.problem === null && (
          <p className="max-w-[80ch] text-table text-muted">{entry.meaning}</p>
        )}
        <Links entry={entry} />
        <Files files={entry.files.slice(0, OPEN_FILES)} failed={entry.state === 'failed'} />
        {entry.files.length > OPEN_FILES && (
          <details className="text-table">
            <summary className="w-fit cursor-pointer text-muted hover:text-text">
              {formatQuantity(entry.files.length - OPEN_FILES, 'other file')}
            </summary>
            <Files files={entry.files.slice(OPEN_FILES)} failed={entry.state === 'failed'} />
          </details>
        )}
        <details className="text-table">
          <summary className="w-fit cursor-pointer text-muted hover:text-text">Receipt</summary>
          <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
            <dt className="text-muted">id</dt>
            <dd>
              <code className="isolate-text text-label">{entry.id}</code>
            </dd>
            {entry.facts.map(({ name, value }) => (
              <Fact key={name} name={name} value={value} />
            ))}
          </dl>
        </details>
      </div>
      {entry.canUndo && (
        <Button onClick={onUndo} aria-label={`Undo this ${entry.kind}: ${entry.reason}`}>
          <UndoGlyph />
          Undo…
        </Button>
      )}
    </li>
  )
}

function Files({ files, failed }: { files: AuditEntryView['files']; failed: boolean }) {
  return (
    <ul className="mt-1 flex flex-col gap-2">
      {files.map((file) => (
        <AuditFile key={file.path} file={file} failed={failed} />
      ))}
    </ul>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="isolate-text text-muted">{name}</dt>
      <dd className="isolate-text tnum">{value}</dd>
    </>
  )
}

function Links({ entry: { undoes, undoneBy } }: { entry: AuditEntryView }) {
  const link = (id: string) => (
    <a href={`#${id}`} className="isolate-text text-accent hover:underline">
      {id}
    </a>
  )
  if (undoneBy !== null) return <p className="text-table text-muted">taken back by {link(undoneBy)}</p>
  if (undoes !== null) return <p className="text-table text-muted">takes back {link(undoes)}</p>
  return null
}
