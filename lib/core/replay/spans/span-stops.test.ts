import { expect, test } from 'vitest'
import { SpanStops } from './span-stops'

const stops = new SpanStops('/home/who/app')

test('names of languages and their libraries come from no memory', () => {
  for (const name of [
    'RwLock::new',
    'strings.TrimSpace',
    'subprocess.check_output',
    'Object.fromEntries',
    'useRef',
  ])
    expect(stops.has(name, 'identifier'), name).toBe(true)
  for (const name of ['Scheduler::new', 'context.sessionId', 'ringBuffer', 'my_store.open_all'])
    expect(stops.has(name, 'identifier'), name).toBe(false)
})

test('files that a tool expects under their name are none of a session, in a folder of it they are', () => {
  expect(stops.has('.cargo/config.toml', 'path')).toBe(true)
  expect(stops.has('vite.config.ts', 'path')).toBe(true)
  expect(stops.has('packages/web/vite.config.ts', 'path')).toBe(false)
})

test('round numbers, years and usual ports say nothing', () => {
  for (const text of ['600000', '2026', '5432', '123456']) expect(stops.has(text, 'number'), text).toBe(true)
  for (const text of ['4761', '808080', '1843']) expect(stops.has(text, 'number'), text).toBe(false)
})

test('fields of well-known files, phrases, messages of tests and names out of packages are no memory', () => {
  stops.learnImports("import { DataSource } from 'typeorm'\nimport { OwnSource } from './own'")
  for (const name of [
    'DataSource',
    'p.packageManager',
    'noEmit',
    'step-by-step',
    'Harbour-native',
    'uuid.Parse',
  ])
    expect(stops.has(name, 'identifier'), name).toBe(true)
  for (const name of ['OwnSource', 'harbour-crane-lift'])
    expect(stops.has(name, 'identifier'), name).toBe(false)
  expect(stops.has('Name() = %q, want %q', 'quoted')).toBe(true)
  for (const text of [
    'cannot lift crane: %w',
    'Warning: failed to lift: %v\\n',
    '{id, path, line}',
    'lifted: true/false',
  ])
    expect(stops.has(text, 'quoted'), text).toBe(true)
  for (const text of ['table "cranes" is not there', 'liftCrane() error = %v', 'liftOnly: true'])
    expect(stops.has(text, 'quoted'), text).toBe(false)
})
