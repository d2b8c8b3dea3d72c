import { describe, expect, it } from 'vitest'
import { readColdLine } from '../core/cold/record'
import { LOG_FILES } from '../core/logs/log-files'
import { LOG_KINDS } from '../core/logs/log-kinds'
import { isOfKind, readLogLine } from '../core/logs/read-log-line'
import { makeDemoStore } from './demo-store'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const files = makeDemoStore({ now: NOW, root: '/home/o/demo' })
const linesOf = (text: string) => text.trimEnd().split('\n')
const records = files
  .filter(({ path }) => path.includes('/cold-storage/'))
  .map(({ text }) => readColdLine(text.trimEnd()))
const logged = LOG_KINDS.map((kind) => {
  const file = files.find(({ path }) => path.endsWith(`/logs/context/${LOG_FILES[kind][0]}`))
  return linesOf(file?.text ?? '').map((line) => readLogLine(kind, line))
})

describe('what the agent of the demo leaves beside its sessions', () => {
  it('names its places by the folder that it is written to', () => {
    const settings = files.find(({ path }) => path.endsWith('context-config.yaml'))
    expect(settings?.text).toContain('"/home/o/demo/openclaw-demo/cold-storage"')
    expect(settings?.text).toContain('"/home/o/demo/openclaw-demo/logs/context"')
  })

  it('has chunks whose entries are in their transcripts', () => {
    expect(records.length).toBeGreaterThan(20)
    for (const read of records) {
      if (!read.ok) throw new Error(read.why)
      const { sessionId, place, at, until, content } = read.record
      const transcript = files.find(({ path }) => path.endsWith(`/${sessionId}.jsonl`))
      for (const id of place?.entryIds ?? []) expect(transcript?.text).toContain(`"id":"${id}"`)
      expect(content).not.toBe('')
      expect(at ?? NOW).toBeLessThan(NOW)
      expect(until ?? 0).toBeGreaterThan(NOW)
    }
  })

  it('has logs of every kind without a broken line, and a drop for every chunk', () => {
    const ids = new Set(records.flatMap((read) => (read.ok ? read.record.chunkId : [])))
    for (const lines of logged) {
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) expect(line.ok).toBe(true)
    }
    const all = logged.flat().flatMap((line) => (line.ok ? line.record : []))
    const drops = all.filter((record) => isOfKind(record, 'drops'))
    expect(new Set(drops.map(({ chunkId }) => chunkId))).toEqual(ids)
    for (const record of all)
      if (isOfKind(record, 'recovery')) expect(ids.has(record.chunkId ?? '')).toBe(true)
  })
})
