import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordLine } from '../../core/compaction/record'
import { PRESETS } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import { Branches } from '../../core/transcript/branches'
import { compactionPlan } from '../builders/compaction-plan'
import { factsOf } from '../builders/transcript'
import { openPi, PI, PI_FILES } from './pi'

type SessionManagerClass = {
  open(file: string): { buildSessionContext(): { messages: { role: string; summary?: string }[] } }
}

const OPENCLAW = resolvePolicy([{ level: 'preset', label: 'openclaw', patch: PRESETS.openclaw }]).policy

const pi = openPi<{ readonly SessionManager: SessionManagerClass }>('session-manager.js')

describe.skipIf(PI_FILES.length === 0)(
  `D11 pi ${PI.version} builds the context that a plan promised (needs the shared corpus)`,
  () => {
    it.each(PI_FILES.map((file) => [basename(file), file]))('%s, at many cuts', (_name, file) => {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
      let plans = 0
      for (let cut = 5; cut <= lines.length; cut += Math.max(1, Math.floor(lines.length / 40))) {
        const text = lines.slice(0, cut).join('\n')
        const policy = { ...OPENCLAW, compaction: { ...OPENCLAW.compaction, keepRecentTokens: 800 } }
        const { plan, context } = compactionPlan(text, policy, { manual: true })
        if (plan.kind !== 'plan') continue
        plans += 1
        const facts = factsOf(text)
        const branches = Branches.of(facts)
        const record = recordLine(branches, facts[0]?.header?.version ?? 1, {
          id: 'f00dfeed',
          parentId: branches.facts[branches.leaf]?.id ?? null,
          at: Date.parse('2026-11-21T12:00:00Z'),
          summary: 'What happened before.',
          firstKeptSeq: facts.find(({ id }) => id === plan.firstKeptEntryId)?.seq ?? 0,
          tokensBefore: plan.recordTokensBefore,
          readFiles: [],
          modifiedFiles: [],
        })
        const copy = pi.copyOf(`${text}\n${record}\n`)
        const kept = new Set(
          plan.chunks.filter(({ action }) => action === 'keep').flatMap(({ seqs }) => seqs),
        )
        const promised = context
          .filter(({ entry }) => kept.has(entry.fact.seq))
          .map(({ entry }) => entry.fact.role)
        const [summary, ...rest] = pi.module().SessionManager.open(copy).buildSessionContext().messages
        expect(summary, `after line ${cut}`).toMatchObject({
          role: 'compactionSummary',
          summary: 'What happened before.',
        })
        expect(
          rest.map(({ role }) => role),
          `after line ${cut}`,
        ).toEqual(promised)
      }
      if (lines.length > 30) expect(plans).toBeGreaterThan(3)
    })
  },
)
