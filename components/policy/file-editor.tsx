'use client'

import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { useIsReady } from '@/components/ui/use-ready'
import { hasStandIns } from '@/lib/view/policy/covered-text'
import { type EditorMarks, editorMarks, lineAt, lineRange } from '@/lib/view/policy/policy-editor-marks'
import type { PolicyProblem } from '@/lib/view/policy/policy-reading'

const LINE = 20
const GUTTER = 56
/** Lines left above a line that is jumped to. */
const ABOVE = 4

/** Lets other parts of the screen show a line of the file. */
export type EditorHandle = { readonly showLine: (line: number) => void }

/**
 * The file itself: plain text with line numbers. Lines with faults and unsaved lines are marked, credentials covered.
 * A text area of the browser, so that everything that edits text works in it.
 */
export function FileEditor({
  handle,
  label,
  path,
  text,
  base,
  problems,
  onReveal,
  onWrite,
  onLine,
}: {
  handle: RefObject<EditorHandle | null>
  label: string
  path: string
  text: string
  /** As it is saved. */
  base: string
  problems: readonly PolicyProblem[]
  /** Asks for the values of the stand-ins; resolves to why there are none, or null. */
  onReveal: () => Promise<string | null>
  onWrite: (text: string) => void
  /** The cursor came to a line. */
  onLine: (line: number) => void
}) {
  const area = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [wanted, setWanted] = useState(false)
  const isReady = useIsReady()
  const [refusal, setRefusal] = useState<string | null>(null)
  const covered = hasStandIns(text)
  const revealed = wanted && !covered
  const marks = editorMarks({ text, base, file: path, problems })

  useImperativeHandle(handle, () => ({
    showLine: (line) => {
      const input = field.current
      if (!input) return
      const [start, end] = lineRange(input.value, line)
      input.focus({ preventScroll: true })
      input.setSelectionRange(start, end)
      area.current?.scrollTo({ top: Math.max(0, line - 1 - ABOVE) * LINE, left: 0 })
      area.current?.scrollIntoView({ block: 'nearest' })
      onLine(line)
    },
  }))

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {(covered || marks.covers.length > 0) && (
        <p className="flex items-center justify-between gap-2 px-3 pb-2 text-label text-muted">
          {refusal ?? coverWords(covered, revealed)}
          <Button
            kind="quiet"
            className="h-6"
            aria-pressed={revealed}
            onClick={async () => {
              setWanted(!revealed)
              if (covered) setRefusal(await onReveal())
            }}
          >
            {revealed ? 'Cover' : 'Reveal'}
          </Button>
        </p>
      )}
      <div
        ref={area}
        className="relative flex min-h-48 flex-1 overflow-auto border-t border-line bg-page font-mono text-[12.5px] leading-[20px]"
      >
        <div
          className="relative flex w-max min-w-full shrink-0"
          style={{ minHeight: (marks.lines + 1) * LINE }}
        >
          <Gutter marks={marks} />
          <div className="relative min-w-0 flex-1">
            <Strips marks={marks} />
            <textarea
              ref={field}
              value={text}
              // What is typed before the page answers would be lost, or be written beside the text.
              readOnly={!isReady}
              wrap="off"
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              autoCorrect="off"
              aria-label={label}
              placeholder="Nothing is set: the defaults hold."
              aria-invalid={marks.marks.some((mark) => mark.severity === 'error')}
              onChange={(event) => onWrite(event.target.value)}
              onSelect={(event) => onLine(lineAt(text, event.currentTarget.selectionStart))}
              className="relative block h-full resize-none overflow-hidden bg-transparent px-2 whitespace-pre text-text caret-accent outline-none placeholder:text-muted"
              style={{ width: `max(100%, calc(${marks.columns + 2}ch + 16px))` }}
            />
            {!revealed && <Covers marks={marks} />}
          </div>
        </div>
      </div>
    </div>
  )
}

function coverWords(covered: boolean, revealed: boolean): string {
  if (covered) return 'Credentials were not sent to this page; a save keeps them as they are.'
  return revealed ? 'Credentials are shown.' : 'Credentials are covered on screen.'
}

/** Line numbers; a glyph is beside those with a fault, a bar beside those that are not saved. */
function Gutter({ marks }: { marks: EditorMarks }) {
  const numbers = Array.from({ length: marks.lines }, (_, i) => i + 1).join('\n')
  return (
    <div
      className="sticky left-0 z-1 shrink-0 border-r border-line bg-surface text-right text-muted select-none"
      style={{ width: GUTTER }}
    >
      <pre aria-hidden="true" className="tnum pr-2">
        {numbers}
      </pre>
      {marks.changed.map((line) => (
        <span
          key={`changed ${line}`}
          aria-hidden="true"
          className="absolute right-0 w-[3px] bg-accent"
          style={{ top: (line - 1) * LINE, height: LINE }}
        />
      ))}
      {marks.marks.map((mark) => (
        <span
          key={`mark ${mark.line}`}
          role="img"
          aria-label={`Line ${mark.line}: ${mark.message}`}
          title={mark.message}
          data-mark={mark.severity}
          data-line={mark.line}
          className={classes(
            'absolute left-1.5 w-4 text-center font-semibold',
            mark.severity === 'error' ? 'text-danger' : 'text-attention',
          )}
          style={{ top: (mark.line - 1) * LINE }}
        >
          {mark.severity === 'error' ? '✕' : '!'}
        </span>
      ))}
    </div>
  )
}

/** Colour behind lines with faults. */
function Strips({ marks }: { marks: EditorMarks }) {
  return marks.marks.map((mark) => (
    <span
      key={mark.line}
      aria-hidden="true"
      className={classes(
        'absolute inset-x-0',
        mark.severity === 'error' ? 'bg-danger-soft' : 'bg-attention-soft',
      )}
      style={{ top: (mark.line - 1) * LINE, height: LINE }}
    />
  ))
}

function Covers({ marks }: { marks: EditorMarks }) {
  return marks.covers.map(({ line, column, length }) => (
    <span
      key={`${line} ${column}`}
      aria-hidden="true"
      data-cover
      className="pointer-events-none absolute rounded-sm bg-line-strong"
      style={{
        top: (line - 1) * LINE + 3,
        height: LINE - 6,
        left: `calc(8px + ${column - 1}ch)`,
        width: `${length}ch`,
      }}
    />
  ))
}
