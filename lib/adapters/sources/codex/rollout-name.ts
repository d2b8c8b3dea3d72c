import path from 'node:path'

/** `rollout-<time>-<uuid>.jsonl` */
const ROLLOUT = /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i

/** The session that the name of a rollout names; null: it is no such name. */
export function sessionOfRollout(file: string): string | null {
  return ROLLOUT.exec(path.basename(file, '.jsonl'))?.[1] ?? null
}
