'use client'

import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { DownloadGlyph } from '@/components/ui/glyphs'
import { saveFile } from '@/components/ui/save-file'
import type { ColdName } from '@/lib/view/cold/cold-storage'
import type { ColdActions } from './cold-actions'

/** Hands the whole text to the browser as a file. */
export function SaveChunk({ name, query, actions }: { name: ColdName; query: string; actions: ColdActions }) {
  const [busy, start] = useTransition()
  const [problem, setProblem] = useState<string | null>(null)

  function save() {
    start(async () => {
      const answer = await actions.download(name, query)
      setProblem(answer.kind === 'refused' ? answer.problem : (answer.notes[0] ?? null))
      if (answer.kind === 'text') saveFile({ name: answer.name, type: 'text/plain', text: answer.text })
    })
  }

  return (
    <>
      <Button disabled={busy} onClick={save}>
        <DownloadGlyph />
        Save as a file
      </Button>
      {problem !== null && (
        <p role="alert" className="isolate-text text-label text-attention">
          {problem}
        </p>
      )}
    </>
  )
}
