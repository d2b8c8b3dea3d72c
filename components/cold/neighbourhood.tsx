import { HostileText } from '@/components/entry/hostile-text'
import { EstimateMark } from '@/components/ui/figure'
import type { ColdPlacing, ColdRow, Neighbour } from '@/lib/view/cold/cold-storage'
import { formatCount } from '@/lib/view/text/format'

/** Entries around the place, with the chunk between them at its old place. */
export function Neighbourhood({ placing, row }: { placing: ColdPlacing; row: ColdRow }) {
  return (
    <ol aria-label="Neighbourhood" className="flex flex-col rounded-md border border-line text-table">
      {placing.before.map((one) => (
        <Entry key={one.seq} entry={one} />
      ))}
      <li className="border-y-2 border-accent bg-accent-soft px-3 py-2">
        <p className="text-label text-accent">
          {placing.isThere ? 'the chunk is in the context already' : 'the chunk, as a note'} ·{' '}
          <span className="tnum">
            {formatCount(placing.tokens)} tokens
            <EstimateMark errorPct={null} />
          </span>
        </p>
        <p className="isolate-text line-clamp-2">{row.snippet.map(({ text }) => text).join('')}</p>
      </li>
      {placing.after.map((one) => (
        <Entry key={one.seq} entry={one} />
      ))}
      {placing.after.length === 0 && (
        <li className="px-3 py-1.5 text-label text-muted">end of the context</li>
      )}
    </ol>
  )
}

function Entry({ entry: { who, text } }: { entry: Neighbour }) {
  return (
    <li className="flex gap-3 border-b border-line px-3 py-1.5 last:border-0">
      <span className="w-24 shrink-0 truncate text-label text-muted">{who}</span>
      <span className="isolate-text line-clamp-2 min-w-0">
        <HostileText text={text} />
      </span>
    </li>
  )
}
