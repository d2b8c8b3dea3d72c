import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAINTENANCE_LIMITS, type MaintenanceLimits } from './limits'
import { type MaintainedStore, type MaintenancePlan, planMaintenance } from './plan'
import type { MaintenanceEntry } from './protection'
import type { StoreFile } from './store-files'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 5, 30, 12)

function entry(key: string, ageDays: number | null, more: Partial<MaintenanceEntry> = {}): MaintenanceEntry {
  const sessionId = key.replaceAll(':', '-')
  return {
    key,
    sessionId,
    updatedAt: ageDays === null ? null : NOW - ageDays * DAY,
    transcript: `${sessionId}.jsonl`,
    refersTo: [sessionId],
    chatType: null,
    pinned: false,
    bytes: 100,
    ...more,
  }
}

function file(name: string, ageDays = 0, size = 1000): StoreFile {
  return { name, size, mtimeMs: NOW - ageDays * DAY }
}

function state(entries: readonly MaintenanceEntry[], files: readonly StoreFile[] = []): MaintainedStore {
  const transcripts = entries.flatMap(({ transcript }) => (transcript === null ? [] : [file(transcript)]))
  const indexBytes = 2 + entries.reduce((sum, { bytes }) => sum + bytes, 0)
  return { entries, files: [...transcripts, ...files], indexBytes }
}

function plan(
  store: MaintainedStore,
  limits: Partial<MaintenanceLimits> = {},
  active: readonly string[] = [],
): MaintenancePlan {
  const all = { ...MAINTENANCE_LIMITS.early, ...limits }
  return planMaintenance(store, { limits: all, now: NOW, active: new Set(active) })
}

const removed = (made: MaintenancePlan) =>
  made.steps.flatMap((step) => (step.do === 'remove-entry' ? [step.key] : []))
const deleted = (made: MaintenancePlan) =>
  made.steps.flatMap((step) => (step.do === 'delete' ? [step.file] : []))

describe('N2 age', () => {
  it('31 days are too old, 29 are not; the transcript stays under another name', () => {
    const made = plan(
      state([entry('agent:a:old', 31), entry('agent:a:new', 29), entry('agent:a:timeless', null)]),
    )
    expect(made.steps).toEqual([
      {
        do: 'remove-entry',
        key: 'agent:a:old',
        sessionId: 'agent-a-old',
        updatedAt: NOW - 31 * DAY,
        rule: 'age',
      },
      {
        do: 'archive',
        file: 'agent-a-old.jsonl',
        to: 'agent-a-old.jsonl.deleted.2026-06-30T12-00-00.000Z',
        bytes: 1000,
        rule: 'age',
      },
    ])
    expect(made.before).toEqual({ entries: 3, bytes: 3302 })
    expect(made.after).toEqual({ entries: 2, bytes: 3202 })
  })

  it('a transcript to which another session refers stays where it is', () => {
    const shared = { sessionId: 's', transcript: 's.jsonl', refersTo: ['s'] }
    const made = plan(state([entry('agent:a:old', 31, shared), entry('agent:a:new', 1, shared)]))
    expect(made.steps.map((step) => step.do)).toEqual(['remove-entry'])
  })

  it.each([
    ['group', 'agent:a:telegram:group:1', {}],
    ['channel', 'agent:a:slack:channel:c', {}],
    ['thread', 'agent:a:main:thread:77', {}],
    ['thread', 'agent:a:telegram:group:1:topic:5', {}],
    ['pinned', 'agent:a:some', { pinned: true }],
    ['group', 'agent:a:whatsapp:direct:1', { chatType: 'group' }],
  ])('a %s stays whatever its age: %s', (because, key, more) => {
    const made = plan(state([entry(key, 400, more)]))
    expect(made.steps).toEqual([])
    expect(made.spared).toEqual([{ key, rule: 'age', because }])
    expect(made.warnings).toEqual([])
  })

  it.each(['agent:a:cron:job', 'agent:a:subagent:x', 'hook:1', 'agent:a:heartbeat'])(
    'a session that no person leads does not, though it says that it is a group: %s',
    (key) => {
      expect(removed(plan(state([entry(key, 31, { chatType: 'group' })])))).toEqual([key])
    },
  )
})

describe('N3 cap', () => {
  const many = Array.from({ length: 503 }, (_, n) => entry(`agent:a:s${n}`, n / 100))

  it('of 503 sessions the oldest three go', () => {
    expect(removed(plan(state(many)))).toEqual(['agent:a:s502', 'agent:a:s501', 'agent:a:s500'])
  })

  it('sessions without a time go first; those that must stay count, and others go for them', () => {
    const entries = [
      entry('agent:a:x:group:1', 9),
      entry('agent:a:1', 1),
      entry('agent:a:2', 2),
      entry('agent:a:none', null),
    ]
    const made = plan(state(entries), { maxEntries: 2 })
    expect(removed(made)).toEqual(['agent:a:none', 'agent:a:2'])
    expect(made.spared).toEqual([{ key: 'agent:a:x:group:1', rule: 'cap', because: 'group' }])
    expect(made.after.entries).toBe(2)
  })

  it('probes of models go after a day, but only when there are more sessions than the cap allows', () => {
    const probe = 'agent:a:explicit:model-run-00000000-0000-4000-8000-000000000000'
    const entries = [entry(probe, 2), entry('agent:a:1', 3)]
    const limits = { ...MAINTENANCE_LIMITS.late, maxEntries: 1 }
    expect(removed(plan(state(entries), limits))).toEqual([probe])
    expect(removed(plan(state(entries), MAINTENANCE_LIMITS.late))).toEqual([])
  })
})

describe('N4 rotation', () => {
  const copies = [1, 2, 3].map((n) => file(`sessions.json.bak.${n}`))

  it('an index beyond the limit is copied aside, and the fourth copy goes', () => {
    const large = { ...state([entry('agent:a:1', 1)], copies), indexBytes: 10 * 1024 ** 2 + 1 }
    expect(plan(large).steps).toEqual([
      { do: 'rotate', to: `sessions.json.bak.${NOW}`, bytes: 10 * 1024 ** 2 + 1 },
      { do: 'delete', file: 'sessions.json.bak.1', bytes: 1000, rule: 'rotation' },
    ])
    expect(plan({ ...large, indexBytes: 10 * 1024 ** 2 }).steps).toEqual([])
    expect(plan(large, MAINTENANCE_LIMITS.late).steps).toEqual([])
  })
})

describe('N5 the active session', () => {
  it('stays against every limit, and a warning names it', () => {
    for (const limits of [
      {},
      { pruneAfterMs: 1e12, maxEntries: 1 },
      { pruneAfterMs: 1e12, maxDiskBytes: 1, highWaterBytes: 1 },
    ]) {
      const made = plan(state([entry('agent:a:busy', 90), entry('agent:a:b', 0)]), limits, ['agent:a:busy'])
      expect(removed(made)).not.toContain('agent:a:busy')
      expect(deleted(made)).not.toContain('agent-a-busy.jsonl')
      expect(made.warnings[0]).toMatch(/^agent:a:busy is active and stays; it would have been removed /)
    }
  })
})

describe('archives and orphans', () => {
  it('archived transcripts go when their own time is over', () => {
    const files = [
      file('a.jsonl.deleted.2026-05-30T11-59-59.000Z'),
      file('b.jsonl.deleted.2026-06-01T00-00-00.000Z', 90),
      file('c.jsonl.reset.2026-05-01T00-00-00Z'),
      file('d.jsonl.deleted.sometime', 31),
    ]
    const store = state([entry('agent:a:1', 1)], files)
    expect(deleted(plan(store))).toEqual([files[0]?.name, files[3]?.name, files[2]?.name])
    expect(deleted(plan(store, { resetRetentionMs: null }))).toEqual([files[0]?.name, files[3]?.name])
  })

  it('files to which no session refers go by age; those of a session stay', () => {
    const files = [
      file('lost.jsonl', 31),
      file('lost.trajectory.jsonl', 31),
      file('young.jsonl', 1),
      file('agent-a-1.trajectory-path.json', 99),
      file('agent-a-1.checkpoint.00000000-0000-4000-8000-000000000000.jsonl', 99),
      file('agent-a-1-topic-5.jsonl', 99),
      file('agent-a-1.jsonl.bak-12-34', 99),
      file('before.jsonl', 99),
      file('x.jsonl.lock', 99),
      file('notes.txt', 99),
      file('sessions.json.1.abc.tmp', 1),
      file('sessions.json.2.abc.tmp', 0),
    ]
    const store = state([entry('agent:a:1', 1, { refersTo: ['agent-a-1', 'before'] })], files)
    expect(deleted(plan(store))).toEqual(['sessions.json.1.abc.tmp', 'lost.jsonl', 'lost.trajectory.jsonl'])
  })

  it('an index that lost its sessions makes no orphans', () => {
    const made = plan(state([], [file('a.jsonl', 99), file('b.jsonl', 99)]), {
      maxDiskBytes: 1,
      highWaterBytes: 1,
    })
    expect(made.steps).toEqual([])
    expect(made.warnings[0]).toContain('2 transcripts are beside it')
  })
})

describe('disk budget', () => {
  const files = [
    file('a.jsonl.deleted.2026-06-29T00-00-00Z', 2),
    file('b.jsonl.reset.2026-06-29T00-00-00Z', 1),
    file('lost.jsonl', 3),
  ]
  const store = state([entry('agent:a:1', 5), entry('agent:a:2', 4), entry('agent:a:x:group:g', 6)], files)

  it('beyond it, what was put aside goes first, the oldest before the others, down to the high water mark', () => {
    expect(deleted(plan(store, { maxDiskBytes: 6302, highWaterBytes: 0 }))).toEqual([])
    expect(deleted(plan(store, { maxDiskBytes: 6301, highWaterBytes: 5302 }))).toEqual(['lost.jsonl'])
    expect(deleted(plan(store, { maxDiskBytes: 6301, highWaterBytes: 5301 }))).toEqual([
      'lost.jsonl',
      files[0]?.name,
    ])
  })

  it('then sessions, the oldest first, with their transcripts; and it says when that was not enough', () => {
    const made = plan(store, { maxDiskBytes: 6301, highWaterBytes: 2500 })
    expect(removed(made)).toEqual(['agent:a:1'])
    expect(deleted(made).slice(3)).toEqual(['agent-a-1.jsonl'])
    const tight = plan(store, { maxDiskBytes: 100, highWaterBytes: 80 })
    expect(removed(tight)).toEqual(['agent:a:1', 'agent:a:2'])
    expect(tight.warnings).toEqual([
      '1102 bytes remain, more than the 80 that were the aim: what is left must stay.',
    ])
  })

  it('what the plan itself would put aside is deleted at once', () => {
    const made = plan(state([entry('agent:a:old', 31), entry('agent:a:new', 1)]), {
      maxDiskBytes: 2000,
      highWaterBytes: 1500,
    })
    expect(made.steps.map((step) => step.do)).toEqual(['remove-entry', 'delete'])
    expect(deleted(made)).toEqual(['agent-a-old.jsonl'])
  })
})

it('N1–N5 a store that was put in order needs nothing more, and what must stay did', () => {
  const ages = fc.option(fc.integer({ min: 0, max: 60 }), { nil: null, freq: 8 })
  const kinds = fc.constantFrom('agent:a:s', 'agent:a:x:group:s', 'agent:a:cron:s', 'agent:a:main:thread:s')
  const entries = fc
    .array(fc.tuple(kinds, ages, fc.boolean()), { maxLength: 30 })
    .map((all) =>
      all.map(([kind, age, pinned], n) => entry(`${kind}${n}`, age, { pinned: pinned && n % 5 === 0 })),
    )
  const stray = fc.array(
    fc.tuple(fc.constantFrom('.jsonl', '.jsonl.reset.x', '.jsonl.bak.x', '.tmp'), ages),
    { maxLength: 10 },
  )
  const limits = fc.record({
    maxEntries: fc.integer({ min: 1, max: 40 }),
    maxDiskBytes: fc.option(fc.integer({ min: 1, max: 40_000 }), { nil: null }),
  })
  fc.assert(
    fc.property(entries, stray, limits, fc.nat(30), (all, strays, { maxEntries, maxDiskBytes }, at) => {
      const store = state(
        all,
        strays.map(([end, age], n) => file(`stray${n}${end}`, age ?? 0)),
      )
      const active = all[at]?.key
      const highWaterBytes = maxDiskBytes === null ? null : Math.floor(maxDiskBytes * 0.8)
      const given = { maxEntries, maxDiskBytes, highWaterBytes }
      const made = plan(store, given, active === undefined ? [] : [active])
      const gone = new Set(removed(made))
      for (const { key, pinned } of all)
        if (pinned || key === active || key.includes(':group:')) expect(gone.has(key)).toBe(false)
      const again = plan(after(store, made), given, active === undefined ? [] : [active])
      expect(again.steps).toEqual([])
      expect(again.before).toEqual(made.after)
    }),
    { seed: 4, numRuns: 300 },
  )
})

function after(store: MaintainedStore, made: MaintenancePlan): MaintainedStore {
  const files = new Map(store.files.map((one) => [one.name, one]))
  for (const step of made.steps) {
    if (step.do === 'delete') files.delete(step.file)
    if (step.do !== 'archive') continue
    files.delete(step.file)
    files.set(step.to, { name: step.to, size: step.bytes, mtimeMs: NOW })
  }
  const gone = new Set(removed(made))
  const entries = store.entries.filter(({ key }) => !gone.has(key))
  return { entries, files: [...files.values()], indexBytes: 2 + 100 * entries.length }
}
