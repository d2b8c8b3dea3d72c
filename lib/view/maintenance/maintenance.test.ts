import { describe, expect, it } from 'vitest'
import { type Generation, readLimits } from '../../core/maintenance/limits'
import { type MaintainedStore, type MaintenanceContext, planMaintenance } from '../../core/maintenance/plan'
import { planText } from '../../core/maintenance/plan-text'
import type { MaintenanceEntry } from '../../core/maintenance/protection'
import { type FolderPlanView, maintenanceView } from './maintenance'
import { keptKeys, type MaintenanceTrial, readTrial, trialSearch, trialSettings } from './maintenance-trial'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-03T08:00:00Z')
const STORE = { id: '0123456789ab', kind: 'openclaw', era: 'jsonl', root: '/home/a/.openclaw' }

function session(key: string, days: number): MaintenanceEntry {
  const id = key.replaceAll(':', '-')
  const transcript = `${id}.jsonl`
  const updatedAt = NOW - days * DAY
  return {
    key,
    sessionId: id,
    updatedAt,
    transcript,
    refersTo: [id],
    chatType: null,
    pinned: false,
    bytes: 100,
  }
}

function state(entries: readonly MaintenanceEntry[], more: MaintainedStore['files'] = []): MaintainedStore {
  const transcripts = entries.map(({ transcript, updatedAt }) => ({
    name: transcript ?? '',
    size: 1_000,
    mtimeMs: updatedAt ?? NOW,
  }))
  return { entries, files: [...transcripts, ...more], indexBytes: entries.length * 100 }
}

/** The page of a store with one folder. */
function page(
  store: MaintainedStore,
  {
    settings = {},
    trial = {},
    generation = 'early',
    active = [] as string[],
    named = [] as string[],
  }: {
    settings?: object
    trial?: MaintenanceTrial
    generation?: Generation
    active?: string[]
    named?: string[]
  } = {},
) {
  const { limits, warnings } = readLimits(trialSettings(settings, trial), generation)
  const context: MaintenanceContext = { limits, now: NOW, active: new Set(active), named: new Set(named) }
  const plan = planMaintenance(store, context)
  const planned = {
    generation,
    limits,
    plan,
    warnings: [...warnings, ...plan.warnings],
    fingerprint: planText(plan),
  }
  const view = maintenanceView(STORE, [{ folder: '/f', agent: 'main', settings, planned }], trial)
  const result = view.folders[0]?.result
  if (result?.ok !== true) throw new Error('no plan')
  return { view, plan: result.plan }
}

const going = ({ rules }: FolderPlanView, rule: string) =>
  rules.find((known) => known.rule === rule)?.steps.map(({ what, does }) => `${what} ${does}`) ?? []

describe('the page of maintenance', () => {
  it('N1: says the mode, and whether the store or its generation chose it', () => {
    const store = state([])
    expect(page(store).view.mode).toEqual({ value: 'warn', origin: 'default' })
    expect(page(store, { generation: 'late' }).view.mode).toEqual({ value: 'enforce', origin: 'default' })
    const settings = { mode: 'enforce' }
    expect(page(store, { settings }).view.mode).toEqual({ value: 'enforce', origin: 'openclaw.json' })
    const trial = { mode: 'warn' }
    expect(page(store, { settings, trial }).view.mode).toEqual({ value: 'warn', origin: 'tried' })
  })

  it('N2: names a session of 31 days and its file, and leaves out that of 29', () => {
    const { plan } = page(state([session('agent:main:old', 31), session('agent:main:new', 29)]))
    const [entry, file] = going(plan, 'age')
    expect(entry).toBe('agent:main:old leaves the index')
    expect(file).toBe('agent-main-old.jsonl put aside')
    expect(JSON.stringify(plan)).not.toContain('agent:main:new')
    expect(plan.after.entries).toBe(1)
    expect(plan.rules[0]?.steps[0]?.usedAt).toBe(NOW - 31 * DAY)
  })

  it('N3: names the oldest 3 of 503', () => {
    const entries = Array.from({ length: 503 }, (_, i) => session(`agent:main:s${i}`, 1 + i / 503))
    const { plan } = page(state(entries))
    const entriesGone = going(plan, 'cap').filter((text) => text.endsWith('leaves the index'))
    expect(entriesGone.map((text) => text.split(' ')[0]).sort()).toEqual([
      'agent:main:s500',
      'agent:main:s501',
      'agent:main:s502',
    ])
  })

  it('N4: says that an index of more than 10 MB is copied, and which copy goes', () => {
    const copies = [1, 2, 3].map((n) => ({ name: `sessions.json.bak.${n}`, size: 7_000, mtimeMs: n }))
    const { plan } = page({ ...state([session('agent:main:a', 1)], copies), indexBytes: 11 * 1024 * 1024 })
    expect(going(plan, 'rotation')).toEqual([`sessions.json.bak.${NOW} made`, 'sessions.json.bak.1 deleted'])
    expect(plan.rules[0]?.bytes).toBe(7_000)
  })

  it('N5: names an active session that stays against a limit, and why others stay', () => {
    const entries = [session('agent:main:busy', 40), session('agent:main:telegram:group:7', 40)]
    const { plan } = page(state(entries), { active: ['agent:main:busy'] })
    expect(plan.empty).toBe(true)
    expect(plan.warnings.join()).toContain('agent:main:busy is active and stays')
    const stay = new Map(plan.spared.map(({ key, because, limit }) => [key, `${because} (${limit})`]))
    expect(stay.get('agent:main:busy')).toMatch(/^active.*\(Age\)/)
    expect(stay.get('agent:main:telegram:group:7')).toBe('protected: a group (Age)')
  })

  it('N5: says of a session that was named that this is why it stays', () => {
    const { plan } = page(state([session('agent:main:dear', 40)]), { named: ['agent:main:dear'] })
    expect(plan.spared).toEqual([
      { key: 'agent:main:dear', because: 'named as one that must stay', limit: 'Age' },
    ])
    expect(plan.warnings.join()).toContain('agent:main:dear stays, as it was named')
  })

  it('shows each limit with the value in force, where it comes from, and the default', () => {
    const { view } = page(state([]), {
      settings: { maxEntries: 20, pruneDays: 10 },
      trial: { maxDiskBytes: '2gb', maxEntries: 'many' },
    })
    const knob = (key: string) => view.knobs.find((known) => known.key === key)
    expect(knob('pruneAfter')).toMatchObject({
      value: '10\u202fd',
      origin: 'openclaw.json',
      fallback: '30\u202fd',
    })
    expect(knob('maxDiskBytes')).toMatchObject({ value: '2.15\u202fGB', origin: 'tried', fallback: 'off' })
    // What cannot be a limit counts for nothing, also not for the store's own.
    expect(knob('maxEntries')).toMatchObject({ value: '500', origin: 'default', typed: 'many' })
    expect(knob('maxEntries')?.problem).toContain('500')
    expect(page(state([]), { generation: 'late' }).view.knobs.map(({ key }) => key)).not.toContain(
      'rotateBytes',
    )
  })

  it('says what to do about stores that we do not write', () => {
    const view = maintenanceView({ ...STORE, era: 'sqlite' }, 'OpenClaw itself does that.', {})
    expect(view).toMatchObject({ readOnly: 'OpenClaw itself does that.', knobs: [], folders: [], mode: null })
  })

  it('lists some of many steps and says how many there are', () => {
    const entries = Array.from({ length: 80 }, (_, i) => session(`agent:main:s${i}`, 40))
    const [rule] = page(state(entries)).plan.rules
    expect(rule).toMatchObject({ count: 160, more: 110 })
    expect(rule?.steps).toHaveLength(50)
  })

  it('shows what hides in names', () => {
    const { plan } = page(state([session('agent:main:\u202eold', 40)]))
    expect(JSON.stringify(plan.rules)).not.toContain('\u202e')
  })
})

describe('limits that are tried', () => {
  it('travel in the address', () => {
    const trial = { mode: 'enforce', pruneAfter: '1d12h', maxEntries: '20' }
    expect(readTrial(new URLSearchParams(trialSearch(trial)))).toEqual(trial)
    expect(trialSearch({})).toBe('')
    const long = new URLSearchParams({ pruneAfter: '9'.repeat(100), other: 'x', maxEntries: ' ' })
    expect(readTrial(long)).toEqual({})
  })

  it('N5 come with the key of a session that must stay, which is no limit', () => {
    const keep = `agent:main:${'k'.repeat(200)}`
    const trial = readTrial(new URLSearchParams({ keep, maxEntries: '1' }))
    expect(trial).toEqual({ keep, maxEntries: '1' })
    expect(keptKeys(trial)).toEqual([keep])
    expect(keptKeys({})).toEqual([])
    expect(trialSettings({}, trial)).toEqual({ maxEntries: 1 })
    expect(readTrial(new URLSearchParams({ keep: 'k'.repeat(2_000) }))).toEqual({})
  })

  it('replace those of the store', () => {
    const settings = { mode: 'warn', maxEntries: 20, unknown: 1 }
    const trial = { maxEntries: '30', resetArchiveRetention: 'false' }
    expect(trialSettings(settings, trial)).toEqual({
      ...settings,
      maxEntries: 30,
      resetArchiveRetention: false,
    })
    expect(trialSettings(undefined, {})).toEqual({})
  })
})

describe('a plan as text', () => {
  it('is the same at another moment, and another one when it would do something else', () => {
    const entries = [session('agent:main:old', 40), session('agent:main:new', 2)]
    const text = (now: number, of = entries) => {
      const { limits } = readLimits({}, 'early')
      return planText(planMaintenance(state(of), { limits, now, active: new Set() }))
    }
    expect(text(NOW + 60_000)).toBe(text(NOW))
    expect(text(NOW)).toContain('agent:main:old')
    expect(text(NOW, [session('agent:main:other', 40)])).not.toBe(text(NOW))
    expect(text(NOW, [session('agent:main:old', 41)])).not.toBe(text(NOW))
  })
})
