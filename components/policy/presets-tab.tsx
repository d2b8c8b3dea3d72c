'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { scrollRegion } from '@/components/ui/table'
import type { Policy } from '@/lib/core/policy/policy'
import { FORM_SECTIONS } from '@/lib/view/policy/policy-knobs'
import { comparePolicies, type PolicyColumn, policyColumns } from '@/lib/view/policy/policy-presets'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { RegionsStrip } from './regions-strip'

/** The operator's policy and the presets side by side: how each divides the window, and every value that differs. */
export function PresetsTab({
  title,
  policy,
  window,
  current,
  onBuildOn,
}: {
  /** Name of the operator's file. */
  title: string
  policy: Policy
  window: number
  /** The preset that the file builds on. */
  current: string | null
  /** null when the file cannot build on a preset. */
  onBuildOn: ((preset: string) => void) | null
}) {
  const columns = policyColumns({ title, policy }, window)
  const [base, setBase] = useState('own')
  const [hidden, setHidden] = useState<readonly string[]>([])
  const shown = columns.filter((column) => !hidden.includes(column.id))
  const at = Math.max(
    0,
    shown.findIndex((column) => column.id === base),
  )
  const rows = comparePolicies(shown, at)
  return (
    <>
      <Card
        title="How each divides the window"
        note={`Regions and load lines of a window of ${formatCount(window)} tokens`}
      >
        <ul className="flex flex-col">
          {columns.map((column) => (
            <li
              key={column.id}
              className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-t border-line py-2 first:border-0 md:grid-cols-[auto_minmax(0,13rem)_minmax(0,1fr)_auto]"
            >
              <input
                type="checkbox"
                aria-label={`Compare ${column.title}`}
                checked={!hidden.includes(column.id)}
                onChange={() =>
                  setHidden(
                    hidden.includes(column.id)
                      ? hidden.filter((id) => id !== column.id)
                      : [...hidden, column.id],
                  )
                }
                className="size-4 accent-(--accent)"
              />
              <span className="min-w-0 text-table">
                <span className="font-medium">{column.title}</span>
                {current === column.preset && column.preset !== null && (
                  <span className="text-accent"> · in use</span>
                )}
                <span className="block text-label text-muted">{column.about}</span>
              </span>
              <span className="order-4 col-span-3 min-w-0 md:order-none md:col-span-1">
                <RegionsStrip
                  regions={column.regions}
                  lines={column.lines}
                  window={window}
                  faded={!column.policy.budget.enabled}
                />
                <span className="tnum block text-label text-muted">
                  {column.lines.map((line) => line.label).join(' · ') || 'no load line'}
                  {!column.policy.budget.enabled && ' · regions switched off'}
                </span>
              </span>
              <span className="justify-self-end">
                {onBuildOn !== null && (
                  <Button
                    onClick={() => onBuildOn(column.preset ?? 'default')}
                    aria-label={`Build on ${column.title}`}
                    // Kept as a place, so that all bars are equally long.
                    className={column.preset === null || current === column.preset ? 'invisible' : undefined}
                  >
                    Build on it
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <Card
        flush
        title="What differs"
        note={`${formatQuantity(rows.length, 'value')} differ; compared with ${shown[at]?.title ?? ''}`}
        aside={
          <label className="flex items-center gap-2 text-table">
            <span className="text-muted">Compare with</span>
            <select
              value={base}
              onChange={(event) => setBase(event.target.value)}
              className="h-8 rounded-md border border-line bg-surface px-2"
            >
              {shown.map((column) => (
                <option key={column.id} value={column.id}>
                  {column.title}
                </option>
              ))}
            </select>
          </label>
        }
      >
        <div {...scrollRegion('Values that differ')} className="max-h-[70dvh] overflow-auto">
          <table className="w-full border-collapse text-table">
            <caption className="sr-only">Values that differ between the policies</caption>
            <thead className="sticky top-0 z-2 bg-surface">
              <tr>
                <th
                  scope="col"
                  className="sticky left-0 z-1 bg-surface px-4 py-1.5 text-left text-label font-medium text-muted shadow-[0_1px_0_var(--line)]"
                >
                  Value
                </th>
                {shown.map((column, i) => (
                  <th
                    key={column.id}
                    scope="col"
                    className={classes(
                      'px-3 py-1.5 text-right text-label font-medium whitespace-nowrap shadow-[0_1px_0_var(--line)]',
                      i === at ? 'text-text' : 'text-muted',
                    )}
                  >
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <ComparedValue
                  key={row.path}
                  group={row.group === rows[i - 1]?.group ? null : row.group}
                  row={row}
                  columns={shown}
                  base={at}
                />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
    </>
  )
}

function ComparedValue({
  group,
  row,
  columns,
  base,
}: {
  /** Set on the first row of a group. */
  group: string | null
  row: ReturnType<typeof comparePolicies>[number]
  columns: readonly PolicyColumn[]
  base: number
}) {
  return (
    <>
      {group !== null && (
        <tr>
          <th
            scope="colgroup"
            colSpan={columns.length + 1}
            className="sticky left-0 bg-inset px-4 py-1 text-left text-label font-medium text-muted"
          >
            {FORM_SECTIONS.find(({ id }) => id === group)?.title ?? group}
          </th>
        </tr>
      )}
      <tr className="border-b border-line" data-compared={row.path}>
        <th scope="row" className="sticky left-0 bg-surface px-4 py-1.5 text-left font-normal">
          {row.label}
          <code className="block text-label text-muted">{row.path}</code>
        </th>
        {row.cells.map((cell, i) => (
          <td
            key={columns[i]?.id}
            className={classes(
              'tnum max-w-52 px-3 py-1.5 text-right',
              i === base ? 'bg-accent-soft' : cell.differs ? 'font-medium' : 'text-muted',
            )}
          >
            {cell.text}
          </td>
        ))}
      </tr>
    </>
  )
}
