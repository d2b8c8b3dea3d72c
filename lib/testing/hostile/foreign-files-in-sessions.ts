import { linkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Fills a sessions folder with old files of others under names that maintenance takes away: nothing refers to them, and
 * their time is over. `linked` has a second name in `elsewhere`.
 * @returns their names, sorted
 */
export function fillSessionsFolder(sessions: string, elsewhere: string): string[] {
  const files: Readonly<Record<string, string>> = {
    'results.jsonl': '{"loss":0.5}\n',
    'diary.jsonl': 'Dear diary\n',
    'diary.jsonl.deleted.2020-01-01T00-00-00.000Z': 'Dear diary, again\n',
    'sessions.json.old.tmp': 'not an index\n',
    'packed.jsonl.deleted.2020-01-01T00-00-00.000Z.zst': 'not packed\n',
    'video.trajectory.jsonl': 'frames\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(sessions, name), text)
  writeFileSync(join(elsewhere, 'kept.jsonl'), '{"type":"session","id":"linked"}\n')
  linkSync(join(elsewhere, 'kept.jsonl'), join(sessions, 'linked.jsonl'))
  const names = [...Object.keys(files), 'linked.jsonl'].sort()
  for (const name of names) utimesSync(join(sessions, name), 1, 1)
  return names
}
