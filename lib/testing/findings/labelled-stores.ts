import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { foundStore } from '../../adapters/discovery/found-store'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { judgedStores, storeFacts } from '../../compose/stores/store-facts'
import { storeFindings } from '../../core/findings/stores/store-findings'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { readSetup } from '../read-setup'
import type { Confusion } from './labelled'
import type { LabelledStore, StoreLabelRule } from './store-rules'
import { Chance } from './talk'

/** Runs one detector over so many planted stores and as many that look alike, each made of real files. */
export async function storeConfusionOf(rule: StoreLabelRule, cases: number): Promise<Confusion> {
  const confusion: Confusion = { found: 0, missed: [], false: [], calm: 0 }
  for (let i = 0; i < cases; i++) {
    if (await isFound(rule.kind, rule.planted(new Chance(i * 2 + 1)))) confusion.found += 1
    else confusion.missed.push(`planted ${i}`)
    if (await isFound(rule.kind, rule.alike(new Chance(i * 2 + 2)))) confusion.false.push(`alike ${i}`)
    else confusion.calm += 1
  }
  return confusion
}

async function isFound(kind: string, { root, files, settings }: LabelledStore): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-labelled-'))
  try {
    for (const { name, text, age } of files) {
      const path = join(folder, root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      const at = new Date(Date.now() - age)
      utimesSync(path, at, at)
    }
    writeFileSync(join(folder, 'plimsoll.yaml'), (settings ?? '{}').replace('{cold}', join(folder, 'cold')))
    const variables = {
      HOME: join(folder, 'home'),
      PLIMSOLL_HOME: join(folder, 'state'),
      PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
    }
    const read = readSetup(variables, folder)
    if (!read.ok) throw new Error(read.problems.join('\n'))
    const store = foundStore(
      root === 'openclaw' ? 'openclaw' : 'claude-code',
      'jsonl',
      join(folder, root),
      'labelled',
      'ok',
    )
    const listed: StoredTranscript[] = []
    for await (const transcript of createStoreReader().list(store)) listed.push({ store, transcript })
    const facts = await storeFacts(read.setup, judgedStores(listed), Date.now())
    return facts.flatMap(storeFindings).some((finding) => finding.kind === kind)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
