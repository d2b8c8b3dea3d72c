'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { MORE_CHARS } from '@/lib/view/session/entry-detail'
import { formatCount } from '@/lib/view/text/format'
import { readPiece } from '../session/session-queries'
import { HostileText } from './hostile-text'
import { useRevealed } from './reveal'

/**
 * A text that may be very long: its beginning, and more of it piece by piece when asked for. `lines` shows at most so
 * many lines until it is opened.
 */
export function LongText({
  id,
  seq,
  block,
  text,
  chars,
  mono = false,
  lines = null,
  saved = false,
}: {
  id: string
  seq: number
  /** The part of the entry; null means its raw line. */
  block: number | null
  text: string
  /** Length of the whole. */
  chars: number
  mono?: boolean
  lines?: 6 | 12 | null
  /** The whole output that was saved beside the transcript in place of the part. */
  saved?: boolean
}) {
  const reveal = useRevealed()
  const [added, setAdded] = useState('')
  const [open, setOpen] = useState(false)
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const shown = text + added
  const rest = chars - shown.length
  const isLong = lines !== null && (text.length > lines * 90 || countLines(text, lines) > lines)
  const clamped = isLong && !open

  async function more() {
    setState('loading')
    try {
      const piece = await readPiece(id, seq, { block, from: shown.length, reveal, saved })
      setAdded(added + piece.text)
      setState('idle')
    } catch {
      setState('failed')
    }
  }

  return (
    <div className="min-w-0">
      <div
        className={classes(
          'isolate-text whitespace-pre-wrap',
          mono ? 'font-mono text-[12px] leading-[18px]' : 'text-body',
          clamped && (lines === 6 ? 'line-clamp-6' : 'line-clamp-[12]'),
        )}
      >
        <HostileText text={shown} />
      </div>
      {(isLong || rest > 0) && (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          {isLong && (
            <Button
              kind="quiet"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="-ml-2 h-6 px-2 text-label"
            >
              {open ? 'Show less' : 'Show all'}
            </Button>
          )}
          {rest > 0 && !clamped && (
            <Button
              kind="quiet"
              disabled={state === 'loading'}
              onClick={more}
              className="-ml-2 h-6 px-2 text-label"
            >
              {`Show ${formatCount(Math.min(rest, MORE_CHARS))} more characters of ${formatCount(rest)}`}
            </Button>
          )}
          {state === 'failed' && <span className="text-label text-danger">The rest could not be read.</span>}
        </div>
      )}
    </div>
  )
}

/** Lines of a text, counted no further than one more than `limit`. */
function countLines(text: string, limit: number): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0 && count <= limit; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
