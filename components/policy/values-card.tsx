'use client'

import { useState } from 'react'
import { Card } from '@/components/ui/card'
import { escapeKey } from '@/lib/core/policy/path'
import { type PolicyField, policyField } from '@/lib/view/policy/policy-field'
import { FORM_SECTIONS, type FormSection } from '@/lib/view/policy/policy-knobs'
import { formatQuantity } from '@/lib/view/text/format'
import { KnobRow } from './knob-row'
import { TableKnobs } from './table-knobs'
import type { PolicyEditor } from './use-policy-editor'

type Show = 'all' | 'set' | 'unsaved'

const SHOWS: readonly (readonly [Show, string])[] = [
  ['all', 'All values'],
  ['set', 'Set in this file'],
  ['unsaved', 'Unsaved'],
]

/** Every value of the policy as a form, in groups that open. */
export function ValuesCard({
  editor,
  locked,
  onLine,
}: {
  editor: PolicyEditor
  locked: boolean
  onLine: (line: number) => void
}) {
  const [search, setSearch] = useState('')
  const [show, setShow] = useState<Show>('all')
  const { policy } = editor.resolved
  const tables = {
    window: Object.keys(policy.window.byModel).map((model) => `window.byModel.${escapeKey(model)}`),
    history: Object.entries(policy.history.channels).flatMap(([name, channel]) => {
      const path = `history.channels.${escapeKey(name)}`
      const users = Object.keys(channel.users).map((user) => `${path}.users.${escapeKey(user)}`)
      return [`${path}.dmTurns`, `${path}.groupTurns`, ...users]
    }),
  }
  const fieldOf = (path: string) => policyField({ ...editor, path })
  const words = search.trim().toLowerCase()
  const groups = FORM_SECTIONS.map((group) => {
    const own = group.id === 'window' || group.id === 'history' ? tables[group.id] : []
    const fields = [...group.paths, ...own].map(fieldOf)
    return { group, fields, shown: fields.filter((field) => isShown(field, group, words, show)) }
  })
  const filtered = words !== '' || show !== 'all'
  const found = groups.reduce((sum, { shown }) => sum + shown.length, 0)
  return (
    <Card
      flush
      className="laid-out-late"
      title="All values"
      note="Each with its default, where it comes from, and what it may be"
      aside={
        <>
          <input
            type="search"
            data-find
            aria-label="Find a value"
            aria-keyshortcuts="/"
            placeholder="Find a value"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="h-8 w-40 min-w-0 rounded-md border border-line-strong bg-surface px-2 text-table placeholder:text-muted"
          />
          <select
            aria-label="Which values are shown"
            value={show}
            onChange={(event) => setShow(event.target.value as Show)}
            className="h-8 rounded-md border border-line bg-surface px-2 text-table"
          >
            {SHOWS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </>
      }
    >
      {filtered && (
        <p role="status" className="px-4 pb-2 text-label text-muted">
          {found === 0 ? 'No value fits.' : formatQuantity(found, 'value')}
        </p>
      )}
      {groups.map(({ group, fields, shown }) =>
        filtered && shown.length === 0 ? null : (
          <Group
            key={group.id}
            group={group}
            fields={fields}
            shown={shown}
            open={filtered}
            locked={locked}
            editor={editor}
            onLine={onLine}
          />
        ),
      )}
    </Card>
  )
}

function Group({
  group,
  fields,
  shown,
  open,
  locked,
  editor,
  onLine,
}: {
  group: FormSection
  fields: readonly PolicyField[]
  shown: readonly PolicyField[]
  /** Shown because of a search: open, whatever was chosen before. */
  open: boolean
  locked: boolean
  editor: PolicyEditor
  onLine: (line: number) => void
}) {
  const [chosen, setChosen] = useState(false)
  const isOpen = open || chosen
  const set = fields.filter((field) => field.line !== null).length
  const unsaved = fields.filter((field) => field.before !== null).length
  const problems = fields.flatMap(({ problem }) => (problem?.severity === 'error' ? [problem] : []))
  // Values that contradict each other share one.
  const errors = new Set(problems).size
  return (
    <section data-group={group.id} className="border-t border-line">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setChosen(!chosen)}
          className="flex w-full items-center gap-2 px-3 py-2 text-left text-table font-medium hover:bg-inset"
        >
          <span aria-hidden="true" className="w-3 text-muted">
            {isOpen ? '▾' : '▸'}
          </span>
          {group.title}
          <span className="min-w-0 flex-1 truncate text-label font-normal text-muted">{group.about}</span>
          <span className="tnum flex shrink-0 gap-2 text-label font-normal text-muted">
            {errors > 0 && <span className="text-danger">{formatQuantity(errors, 'error')}</span>}
            {unsaved > 0 && <span className="text-accent">{`${unsaved} unsaved`}</span>}
            {set > 0 && <span>{`${set} set here`}</span>}
          </span>
        </button>
      </h3>
      {isOpen && (
        <>
          <ul>
            {shown.map((field) => (
              <KnobRow
                key={field.path}
                field={field}
                locked={locked}
                onLine={onLine}
                onChange={(path, value) => editor.change({ [path]: value }, `field ${path}`)}
              />
            ))}
          </ul>
          {!locked && !open && <TableKnobs group={group.id} editor={editor} />}
        </>
      )}
    </section>
  )
}

function isShown(field: PolicyField, group: FormSection, words: string, show: Show): boolean {
  if (show === 'set' && field.line === null) return false
  if (show === 'unsaved' && field.before === null) return false
  const text = `${group.title} ${field.label} ${field.about} ${field.path}`.toLowerCase()
  return words.split(/\s+/).every((word) => text.includes(word))
}
