'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { Later } from '@/components/ui/later'
import { PRESET_NAMES } from '@/lib/core/policy/presets'
import type { PolicyActions } from '@/lib/view/policy/policy-answers'
import { canHold, type PolicyChanges } from '@/lib/view/policy/policy-edit'
import { policyField } from '@/lib/view/policy/policy-field'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import { addOverride, overrideViews } from '@/lib/view/policy/policy-overrides'
import { RATIO_PATHS } from '@/lib/view/policy/policy-ratio'
import { type EditorHandle, FileEditor } from './file-editor'
import { LinesCard } from './lines-card'
import { OverridesCard } from './overrides-card'
import { ProblemList } from './problem-list'
import { RegionsCard } from './regions-card'
import type { PolicyEditor } from './use-policy-editor'
import { ValuesCard } from './values-card'

type Pane = 'form' | 'file'

/** Form and file beside each other, in step; on narrow screens one at a time. */
export function EditTab({
  editor,
  reveal,
  window,
  fills,
}: {
  editor: PolicyEditor
  reveal: PolicyActions['reveal']
  window: number
  fills: FillAggregate | null
}) {
  const { document, reading, problems } = editor
  const file = useRef<EditorHandle | null>(null)
  const [pane, setPane] = useState<Pane>(reading.broken ? 'file' : 'form')
  const [line, setLine] = useState<number | null>(null)
  const firstFault = reading.broken
    ? (problems.find(({ lines }) => lines.length > 0)?.lines[0] ?? null)
    : null
  const openedAt = useRef(firstFault)
  // The outside system is the scroll position of the text: a file that is broken opens where it is.
  useEffect(() => {
    if (openedAt.current !== null) file.current?.showLine(openedAt.current)
  }, [])
  const broken = reading.broken ? 'The file has a syntax error; fix it there first.' : null
  const lockOf = (path: string) =>
    broken ??
    (canHold(document, reading, path) ? null : 'This file has no keys for these; your own file has.')

  function showLine(to: number) {
    setPane('file')
    // On narrow screens the file is not there before this.
    requestAnimationFrame(() => file.current?.showLine(to))
  }

  const edits = {
    onPreview: (changes: PolicyChanges | null) => editor.preview(changes),
    onChange: (changes: PolicyChanges, gesture?: string) => editor.change(changes, gesture),
  }

  return (
    <>
      <div className="flex gap-1 lg:hidden">
        {(['form', 'file'] as const).map((option) => (
          <Button
            key={option}
            aria-pressed={pane === option}
            kind={pane === option ? 'plain' : 'quiet'}
            onClick={() => setPane(option)}
            className="flex-1 capitalize"
          >
            {option}
          </Button>
        ))}
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(340px,36%)]">
        <div className={classes('flex min-w-0 flex-col gap-4', pane !== 'form' && 'max-lg:hidden')}>
          {document.role === 'own' && (
            <PresetChoice
              preset={reading.file.preset}
              problem={problems.find(({ key }) => key === 'policy.preset')?.message ?? null}
              disabled={broken !== null}
              onChoose={editor.choosePreset}
            />
          )}
          <RegionsCard
            policy={editor.policy}
            settled={editor.settled}
            window={window}
            fills={fills}
            problems={problems}
            locked={lockOf(RATIO_PATHS[0])}
            {...edits}
          />
          <Later>
            <LinesCard
              policy={editor.policy}
              settled={editor.settled}
              window={window}
              fills={fills}
              problems={problems}
              locked={lockOf('lines.compact.at')}
              {...edits}
            />
            <ValuesCard editor={editor} locked={broken !== null} onLine={showLine} />
            {document.role === 'own' && (
              <OverridesCard
                overrides={overrideViews(reading)}
                locked={broken !== null}
                fieldOf={(path) => policyField({ ...editor, path })}
                onAdd={(override) => editor.take(addOverride(reading, override))}
                onLine={showLine}
              />
            )}
          </Later>
        </div>
        <div
          className={classes(
            'min-w-0 lg:sticky lg:top-[calc(var(--bar-height)+16px)]',
            pane !== 'file' && 'max-lg:hidden',
          )}
        >
          <Card
            flush
            title={document.label}
            note={<code className="isolate-text">{document.path}</code>}
            className="flex max-h-[calc(100dvh-var(--bar-height)-120px)] flex-col [&>div]:flex [&>div]:min-h-0 [&>div]:flex-1 [&>div]:flex-col"
          >
            <FileEditor
              handle={file}
              label={`Text of ${document.label}`}
              path={document.path}
              text={editor.text}
              base={editor.draft.baseText}
              problems={problems}
              onReveal={async () => {
                const answer = await reveal(document.path, editor.draft.text)
                if (answer.kind === 'refused') return answer.problem
                editor.reveal(answer.values)
                return null
              }}
              onWrite={(text) => editor.write(text, 'typing')}
              onLine={setLine}
            />
            <LineHelp editor={editor} line={line} />
            {problems.length > 0 && (
              <div className="max-h-40 shrink-0 overflow-y-auto border-t border-line">
                <ProblemList problems={problems} onLine={showLine} />
              </div>
            )}
          </Card>
        </div>
      </div>
    </>
  )
}

function PresetChoice({
  preset,
  problem,
  disabled,
  onChoose,
}: {
  preset: string | null
  problem: string | null
  disabled: boolean
  onChoose: (preset: string | null) => void
}) {
  return (
    <label className="flex flex-wrap items-center gap-2 text-table">
      <span className="text-muted">Builds on</span>
      <select
        value={preset ?? ''}
        disabled={disabled}
        onChange={(event) => onChoose(event.target.value || null)}
        className="h-8 rounded-md border border-line-strong bg-surface px-2 disabled:opacity-60"
      >
        <option value="">no preset</option>
        {PRESET_NAMES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      {problem === null ? (
        <span className="text-label text-muted">Values in this file override it.</span>
      ) : (
        <span className="text-label text-danger">{problem}</span>
      )}
    </label>
  )
}

/** What the value on the cursor's line means. */
function LineHelp({ editor, line }: { editor: PolicyEditor; line: number | null }) {
  const { file } = editor.reading
  const path = Object.entries(file.places).find(
    ([, place]) => place.line === line && place.file === editor.document.path,
  )?.[0]
  if (path === undefined) return null
  const field = policyField({ ...editor, path })
  return (
    <p className="border-t border-line px-3 py-2 text-label text-muted">
      <span className="font-medium text-text">{`Line ${line}: ${field.label}. `}</span>
      {`${field.about} ${field.allowed[0]?.toUpperCase() ?? ''}${field.allowed.slice(1)}; default ${field.initial}.`}
    </p>
  )
}
