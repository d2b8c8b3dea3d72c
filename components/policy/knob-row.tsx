'use client'

import { useId } from 'react'
import { classes } from '@/components/ui/classes'
import { UndoGlyph } from '@/components/ui/glyphs'
import type { PolicyField } from '@/lib/view/policy/policy-field'
import { KnobInput } from './knob-input'
import { LineLink } from './problem-list'

/** One value of the form: what it is, what it is set to, where that comes from, and what may be there. */
export function KnobRow({
  field,
  locked,
  onChange,
  onLine,
}: {
  field: PolicyField
  locked: boolean
  /** `undefined` takes the value out of the file. */
  onChange: (path: string, value: unknown) => void
  onLine: (line: number) => void
}) {
  const id = useId()
  const { problem } = field
  const set = field.line !== null
  const isDefault = field.origin.level === 'default'
  const disabled = locked || !field.settable || field.inFileOnly !== null
  return (
    <li
      data-knob={field.path}
      className={classes(
        'grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-t border-line px-3 py-2',
        'md:grid-cols-[minmax(0,11fr)_minmax(0,7fr)_minmax(0,9fr)]',
        problem?.severity === 'error' && 'bg-danger-soft',
      )}
    >
      <div className="min-w-0">
        <label htmlFor={id} className="text-table font-medium">
          {field.label}
          {field.before !== null && (
            <span
              title={`Not saved yet; the file says ${field.before}`}
              className="ml-1.5 inline-block size-1.5 rounded-full bg-accent align-middle"
            />
          )}
        </label>
        <p className="text-label text-muted">{field.about}</p>
      </div>
      <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-1.5 md:justify-start">
        <KnobInput
          field={field}
          id={id}
          describedBy={`${id}-about`}
          disabled={disabled}
          onChange={(value) => onChange(field.path, value)}
        />
        {set && !disabled && (
          <button
            type="button"
            onClick={() => onChange(field.path, undefined)}
            aria-label={`Take ${field.label} out of the file`}
            title="Take it out of the file: what holds without it holds again"
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text"
          >
            <UndoGlyph />
          </button>
        )}
        {field.reading !== '' && (
          <span className="tnum basis-full text-right text-label text-muted md:text-left">
            {field.reading}
          </span>
        )}
      </div>
      <div
        id={`${id}-about`}
        className="col-span-2 flex flex-wrap gap-x-2 text-label text-muted md:col-span-1 md:block"
      >
        <p>
          {set && field.line !== null ? (
            <LineLink line={field.line} onLine={onLine} />
          ) : (
            <span className="mr-1.5">
              {isDefault ? 'the default' : <span className="isolate-text">{field.origin.label}</span>}
            </span>
          )}
          {field.before !== null && <span className="text-accent">{`was ${field.before}`}</span>}
        </p>
        <p>{`${isDefault ? '' : `default ${field.initial}; `}${field.allowed}`}</p>
        {!field.settable && <p>This file has no key for it.</p>}
        {field.inFileOnly !== null && (
          <p>
            {'Not changed on a page. In your settings file: '}
            <code className="isolate-text break-all text-text">{`policy: ${field.inFileOnly}`}</code>
          </p>
        )}
      </div>
      {problem && (
        <p
          role={problem.severity === 'error' ? 'alert' : undefined}
          data-problem={field.path}
          className={classes(
            'isolate-text col-span-full text-label',
            problem.severity === 'error' ? 'text-danger' : 'text-attention',
          )}
        >
          {problem.message}
        </p>
      )}
    </li>
  )
}
