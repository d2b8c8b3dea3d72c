'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { readPiece } from '../session/session-queries'
import { useRevealed } from './reveal'

/** Characters that go into the clipboard at most; the whole is in the file. */
const COPY_LIMIT = 4_000_000

type Source = { readonly text: () => Promise<string> } | { readonly id: string; readonly seq: number }

/**
 * Puts a text, or the raw line of an entry, into the clipboard, and says whether it did. Credentials stay covered in it
 * as they are on screen.
 */
export function CopyButton({ label, quiet = false, ...source }: { label: string; quiet?: boolean } & Source) {
  const reveal = useRevealed()
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')

  async function copy() {
    try {
      const text = 'text' in source ? await source.text() : await rawLine(source.id, source.seq, reveal)
      await navigator.clipboard.writeText(text)
      setState('done')
    } catch {
      setState('failed')
    }
    setTimeout(() => setState('idle'), 2_000)
  }

  return (
    <Button
      kind={quiet ? 'quiet' : 'plain'}
      onClick={copy}
      className={quiet ? 'h-6 px-1.5 text-label' : undefined}
    >
      <span aria-live="polite">
        {state === 'done' ? 'Copied' : state === 'failed' ? 'Not copied' : label}
      </span>
    </Button>
  )
}

async function rawLine(id: string, seq: number, reveal: boolean): Promise<string> {
  let text = ''
  for (;;) {
    const piece = await readPiece(id, seq, { block: null, from: text.length, reveal })
    text += piece.text
    if (piece.text === '' || text.length >= Math.min(piece.chars, COPY_LIMIT)) return text
  }
}
