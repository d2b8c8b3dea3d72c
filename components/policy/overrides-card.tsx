'use client'

import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { OVERRIDE_KEYS, type OverrideKey } from '@/lib/core/policy/formats/plimsoll'
import { knobWords } from '@/lib/core/policy/knobs/knob-words'
import { type PolicyField, parseField } from '@/lib/view/policy/policy-field'
import { FORM_SECTIONS } from '@/lib/view/policy/policy-knobs'
import { OVERRIDE_ABOUT, type OverrideView } from '@/lib/view/policy/policy-overrides'
import { LineLink } from './problem-list'

/** Narrower policies of our own file: what they are about and what they set; new ones begin with one value. */
export function OverridesCard({
  overrides,
  locked,
  fieldOf,
  onAdd,
  onLine,
}: {
  overrides: readonly OverrideView[]
  locked: boolean
  fieldOf: (path: string) => PolicyField
  onAdd: (override: { key: OverrideKey; match: string; path: string; value: unknown }) => void
  onLine: (line: number) => void
}) {
  return (
    <Card
      flush
      className="laid-out-late"
      title="Overrides"
      note="For one store, agent, channel, model or session; narrower ones win"
    >
      {overrides.length > 0 && (
        <ul>
          {overrides.map((override) => (
            <li key={override.n} className="border-t border-line px-3 py-2 text-table">
              <p>
                <LineLink line={override.line} onLine={onLine} />
                {`${override.key} `}
                <code className="isolate-text font-medium">{override.match}</code>
              </p>
              <p className="tnum text-label text-muted">
                {override.values.length === 0
                  ? 'sets nothing'
                  : override.values.map(({ label, value }) => `${label} ${value}`).join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
      {!locked && <AddOverride fieldOf={fieldOf} onAdd={onAdd} />}
    </Card>
  )
}

function AddOverride({
  fieldOf,
  onAdd,
}: {
  fieldOf: (path: string) => PolicyField
  onAdd: (override: { key: OverrideKey; match: string; path: string; value: unknown }) => void
}) {
  const id = useId()
  const [key, setKey] = useState<OverrideKey>('agent')
  const [match, setMatch] = useState('')
  const [path, setPath] = useState('lines.compact.at')
  const [text, setText] = useState('')
  const field = fieldOf(path)
  const ready = match.trim() !== '' && text.trim() !== ''
  return (
    <form
      className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2 text-table"
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready) return
        onAdd({ key, match: match.trim(), path, value: parseField(field, text) })
        setMatch('')
        setText('')
      }}
    >
      <label htmlFor={`${id}-key`} className="text-label text-muted">
        For
      </label>
      <select
        id={`${id}-key`}
        value={key}
        onChange={(event) => setKey(event.target.value as OverrideKey)}
        className="h-8 rounded-md border border-line bg-surface px-2 md:h-7"
      >
        {OVERRIDE_KEYS.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <input
        aria-label="Which one; * matches any characters"
        value={match}
        maxLength={200}
        placeholder={OVERRIDE_ABOUT[key]}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setMatch(event.target.value)}
        className="h-8 w-40 min-w-0 rounded-md border border-line-strong bg-surface px-2 placeholder:text-muted md:h-7"
      />
      <select
        aria-label="Value to set"
        value={path}
        onChange={(event) => {
          setPath(event.target.value)
          setText('')
        }}
        className="h-8 max-w-56 min-w-0 rounded-md border border-line bg-surface px-2 md:h-7"
      >
        {FORM_SECTIONS.map((group) => (
          <optgroup key={group.id} label={group.title}>
            {group.paths.map((option) => (
              <option key={option} value={option}>
                {knobWords(option).label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {field.kind === 'choice' ? (
        <select
          aria-label={`${field.label}: ${field.allowed}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-8 min-w-0 rounded-md border border-line bg-surface px-2 md:h-7"
        >
          <option value="">choose</option>
          {field.options.map((option) => (
            <option key={option.value} value={option.value} title={option.about}>
              {option.value}
            </option>
          ))}
        </select>
      ) : (
        <input
          aria-label={`${field.label}: ${field.allowed}`}
          value={text}
          placeholder={field.kind === 'flag' ? 'true or false' : field.text || 'no limit'}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          className="h-8 w-28 min-w-0 rounded-md border border-line-strong bg-surface px-2 placeholder:text-muted md:h-7"
        />
      )}
      <Button type="submit" disabled={!ready} className="md:h-7">
        Add an override
      </Button>
    </form>
  )
}
