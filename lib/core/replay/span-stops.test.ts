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
  for (const text of ['600000', 'in 2026', 'port 5432', '123456'])
    expect(stops.has(text, 'number'), text).toBe(true)
  for (const text of ['port 4761', '808080', 'rows 1843']) expect(stops.has(text, 'number'), text).toBe(false)
})
