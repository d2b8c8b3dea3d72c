import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DemoRoot, writeDemoFiles } from '../../adapters/files/demo-files'

/** What the demo's agent keeps beside its sessions. */
const KEPT = ['context-config.yaml', 'cold-storage', 'logs']

/** The demo's sessions alone, as agents leave them that do not manage their contexts. */
export async function writeDemoSessions(options: { home: string; now: number }): Promise<DemoRoot[]> {
  const roots = await writeDemoFiles(options)
  for (const { path } of roots)
    for (const name of KEPT) rmSync(join(path, name), { recursive: true, force: true })
  return roots
}
