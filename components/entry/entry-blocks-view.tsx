'use client'

import Image from 'next/image'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { Bytes } from '@/lib/core/units/units'
import type { ClippedBlock } from '@/lib/view/session/entry-blocks'
import { formatBytes, formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'
import { LongText } from './long-text'
import { SavedOutput } from './saved-output'

/** The parts of an entry, one below the other. */
export function EntryBlocksView({
  id,
  seq,
  blocks,
}: {
  id: string
  seq: number
  blocks: readonly ClippedBlock[]
}) {
  return (
    <div className="flex flex-col gap-2">
      {blocks.map((block) => (
        <BlockView key={block.index} id={id} seq={seq} block={block} />
      ))}
    </div>
  )
}

function BlockView({ id, seq, block }: { id: string; seq: number; block: ClippedBlock }) {
  const place = { id, seq, block: block.index, chars: block.chars }
  switch (block.kind) {
    case 'text':
      return <LongText {...place} text={block.text} />
    case 'thinking':
      return (
        <Thinking redacted={block.redacted} chars={block.chars}>
          <LongText {...place} text={block.text} />
        </Thinking>
      )
    case 'call':
      return (
        <div className="rounded-md border border-line bg-inset px-3 py-2" data-block="call">
          <p className="mb-1 font-mono text-[12px] font-medium">{visibleLine(block.name)}</p>
          <LongText {...place} text={block.text} mono lines={6} />
        </div>
      )
    case 'output':
      return (
        <>
          <LongText {...place} text={block.text} mono lines={12} />
          {block.saved !== undefined && <SavedOutput {...place} name={block.saved} />}
        </>
      )
    case 'image':
      return <Picture id={id} seq={seq} index={block.index} mimeType={block.mimeType} bytes={block.bytes} />
    case 'data':
      return (
        <div className="rounded-md border border-line px-3 py-2">
          <p className="mb-1 text-label text-muted">{visibleLine(block.name)}</p>
          <LongText {...place} text={block.text} mono lines={6} />
        </div>
      )
    default:
      return block satisfies never
  }
}

/** What the model thought: closed until it is opened. */
function Thinking({ redacted, chars, children }: { redacted: boolean; chars: number; children: ReactNode }) {
  if (redacted && chars === 0)
    return <p className="text-label text-muted">Thinking, hidden by the provider</p>
  return (
    <details data-block="thinking">
      <summary className="text-label text-muted">{`Thinking, ${formatCount(chars)} characters`}</summary>
      <div className="mt-1 border-l-2 border-line pl-3 text-muted">{children}</div>
    </details>
  )
}

/** A picture as its type and size; its bytes travel only when it is asked for. */
function Picture({
  id,
  seq,
  index,
  mimeType,
  bytes,
}: {
  id: string
  seq: number
  index: number
  mimeType: string
  bytes: Bytes
}) {
  const [shown, setShown] = useState(false)
  const source = `/api/sessions/${id}/entries/${seq}/image?block=${index}`
  return (
    <div className="rounded-md border border-dashed border-line-strong p-2">
      <p className="flex items-center gap-2 text-label text-muted">
        {`Image, ${visibleLine(mimeType)}, ${formatBytes(bytes)}`}
        <Button
          kind="quiet"
          className="h-6 px-2 text-label"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </Button>
      </p>
      {shown && (
        <Image
          unoptimized
          src={source}
          alt="Part of the transcript"
          width={640}
          height={384}
          className="mt-2 h-auto max-h-96 w-auto max-w-full"
        />
      )}
    </div>
  )
}
