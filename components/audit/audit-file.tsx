import type { AuditBytes, AuditFileView } from '@/lib/view/audit/audit'
import { formatBytes } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

const SHORT = 12

/** A file that a write touched: what it held before and after. */
export function AuditFile({ file, failed }: { file: AuditFileView; failed: boolean }) {
  return (
    <li className="min-w-0">
      <code className="isolate-text block text-label break-all">{visibleLine(file.path)}</code>
      <p className="flex flex-wrap items-center gap-x-2 text-label text-muted">
        <span>{failed ? 'as it was' : file.change}</span>
        <Bytes bytes={file.before} missing="no file" />
        {!failed && (
          <>
            <span aria-hidden="true">→</span>
            <span className="sr-only">became</span>
            <Bytes bytes={file.after} missing="no file" />
          </>
        )}
      </p>
      {file.backup !== null && (
        <details className="text-label text-muted">
          <summary className="w-fit cursor-pointer hover:text-text">Hashes and backup</summary>
          <dl className="mt-1 flex flex-col gap-0.5 break-all">
            <Whole name="before" value={file.before?.hash} />
            <Whole name="after" value={file.after?.hash} />
            <Whole name="backup" value={file.backup} />
          </dl>
        </details>
      )}
    </li>
  )
}

function Bytes({ bytes, missing }: { bytes: AuditBytes | null; missing: string }) {
  if (bytes === null) return <span>{missing}</span>
  return (
    <span className="tnum">
      <code title={`SHA-256 ${bytes.hash}`}>{bytes.hash.slice(0, SHORT)}</code>
      {` ${formatBytes(bytes.size)}`}
    </span>
  )
}

function Whole({ name, value }: { name: string; value: string | undefined }) {
  if (value === undefined) return null
  return (
    <div>
      <dt className="inline">{`${name} `}</dt>
      <dd className="inline">
        <code className="isolate-text">{value}</code>
      </dd>
    </div>
  )
}
