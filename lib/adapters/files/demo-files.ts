import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Milliseconds } from '../../core/units/units'
import { OPENCLAW_FOLDER, PI_FOLDER } from '../../demo/demo-folders'

/** A store of made-up sessions in our own state folder. */
export type DemoRoot = { readonly path: string; readonly kind: 'openclaw' | 'pi' }

/** The demo's stores in the state folder `home`; empty while no demo was asked for. */
export function findDemoRoots(home: string): DemoRoot[] {
  const folder = join(home, 'demo')
  const roots: DemoRoot[] = [
    { path: join(folder, OPENCLAW_FOLDER), kind: 'openclaw' },
    { path: join(folder, PI_FOLDER, 'agent', 'sessions'), kind: 'pi' },
  ]
  return roots.filter((root) => existsSync(root.path))
}

/**
 * Writes the demo into the state folder `home` and answers its stores. It appears as a whole or not at all, and one
 * that is there already stays as it is. Real stores are never touched.
 * @param now milliseconds since the epoch; the demo's newest session ends shortly before
 */
export async function writeDemoFiles({
  home,
  now,
}: {
  home: string
  now: Milliseconds
}): Promise<DemoRoot[]> {
  const target = join(home, 'demo')
  if (existsSync(target)) return findDemoRoots(home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const fresh = await mkdtemp(join(home, 'demo-new-'))
  try {
    // Loaded only here: a search for a demo does not need its maker.
    const { makeDemoStore } = await import('../../demo/demo-store')
    for (const { path, text } of makeDemoStore({ now, root: target })) {
      const file = join(fresh, ...path.split('/'))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text, { mode: 0o600 })
    }
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster; its demo is as good as ours.
    if (!existsSync(target)) throw error
  }
  return findDemoRoots(home)
}
