'use client'

import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import { POLICY_TABS, type PolicyTab, parseWindow } from '@/lib/view/policy/policy-place'
import type { PolicyDocumentView } from '@/lib/view/policy/policy-reading'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { TypedInput } from './typed-input'

const TAB_LABELS: { readonly [T in PolicyTab]: string } = {
  edit: 'Edit',
  presets: 'Presets',
  effective: 'Per session',
  workspaces: 'Workspaces',
}

/** Parts that are about one file. */
const FILE_TABS: ReadonlySet<PolicyTab> = new Set(['edit', 'presets'])

/** Which part of the screen, which file, which window. */
export function PolicyToolbar({
  tab,
  documents,
  document,
  dirty,
  window,
  fills,
  onTab,
  onDocument,
  onWindow,
  onHistory,
}: {
  tab: PolicyTab
  documents: readonly PolicyDocumentView[]
  document: PolicyDocumentView
  dirty: (document: PolicyDocumentView) => boolean
  window: number
  fills: FillAggregate | null
  onTab: (tab: PolicyTab) => void
  onDocument: (path: string) => void
  onWindow: (window: number) => void
  onHistory: () => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <nav aria-label="Parts of this page" className="flex gap-1 overflow-x-auto border-b border-line">
        {POLICY_TABS.map((option) => (
          <button
            key={option}
            type="button"
            aria-current={option === tab ? 'page' : undefined}
            onClick={() => onTab(option)}
            className={classes(
              '-mb-px border-b-2 px-3 py-2 text-table whitespace-nowrap',
              option === tab ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {TAB_LABELS[option]}
          </button>
        ))}
      </nav>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-table">
        {FILE_TABS.has(tab) && (
          <label className="flex min-w-0 items-center gap-2">
            <span className="text-muted">File</span>
            <select
              value={document.path}
              onChange={(event) => onDocument(event.target.value)}
              className="h-8 max-w-64 min-w-0 rounded-md border border-line-strong bg-surface px-2"
            >
              {documents.map((option) => (
                <option key={option.path} value={option.path}>
                  {`${option.label}${dirty(option) ? ' •' : ''}`}
                </option>
              ))}
            </select>
          </label>
        )}
        {FILE_TABS.has(tab) && (
          <>
            {!document.exists && <Badge tone="accent">new: saving creates it</Badge>}
            {!document.writable && <Badge tone="attention">read-only</Badge>}
            <Badge>{document.role === 'own' ? 'your settings' : document.file.label}</Badge>
          </>
        )}
        {tab !== 'effective' && <WindowChoice window={window} fills={fills} onWindow={onWindow} />}
        {tab === 'edit' && (
          <Button kind="quiet" onClick={onHistory} className="ml-auto">
            History …
          </Button>
        )}
      </div>
    </div>
  )
}

/** Windows that are offered besides those of own sessions, in tokens. */
const USUAL_WINDOWS = [8_000, 32_000, 128_000, 200_000, 1_000_000]

/** The window that shares are shown for: one of the own sessions', a usual one, or any other. */
function WindowChoice({
  window,
  fills,
  onWindow,
}: {
  window: number
  fills: FillAggregate | null
  onWindow: (window: number) => void
}) {
  const own = (fills?.groups ?? []).filter((group) => group.exact)
  const others = USUAL_WINDOWS.filter((size) => own.every((group) => group.window !== size))
  const offered = new Set([...own.map((group) => group.window), ...others])
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <label className="flex max-w-full min-w-0 items-center gap-2">
        <span className="text-muted">Window</span>
        <select
          value={offered.has(window) ? window : ''}
          onChange={(event) => event.target.value !== '' && onWindow(Number(event.target.value))}
          className="tnum h-8 min-w-0 rounded-md border border-line-strong bg-surface px-2"
        >
          {!offered.has(window) && <option value="">another</option>}
          {own.length > 0 && (
            <optgroup label="Of your sessions">
              {[...own]
                .sort((a, b) => b.sessions - a.sessions)
                .map((group) => (
                  <option key={group.window} value={group.window}>
                    {`${formatCount(group.window)} · ${formatQuantity(group.sessions, 'session')}`}
                  </option>
                ))}
            </optgroup>
          )}
          <optgroup label="Usual">
            {others.map((size) => (
              <option key={size} value={size}>
                {formatCount(size)}
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      <TypedInput
        numeric
        aria-label="Window in tokens"
        value={String(window)}
        onCommit={(text) => {
          const tokens = parseWindow(text.replace(/[\s\u202f]/g, ''))
          if (tokens !== null) onWindow(tokens)
        }}
        className="w-24 shrink-0"
      />
    </span>
  )
}
