import type { TimeLimit } from '../../engine/jobs/time-limit'
import type { PromptCache } from '../../engine/workspace/prompt-cache'
import type { WorkspaceSnapshot } from '../../engine/workspace/workspace'
import { saysTheSame } from './says-the-same'

/** A workspace that knows what an answer has of it, so that an answer is given again only as long as that holds. */
export class NotedWorkspace implements Pick<PromptCache, 'snapshot'> {
  /** As it was read last, and as the last answer has it; null where it could not be read. */
  private read: WorkspaceSnapshot | null = null
  private kept: WorkspaceSnapshot | null = null

  /** Asked between requests, which have a limit for it themselves. */
  private readonly limited: Pick<PromptCache, 'snapshot'>

  constructor(
    private readonly workspace: Pick<PromptCache, 'snapshot'>,
    limit: TimeLimit,
  ) {
    this.limited = limit.port('workspace', workspace)
  }

  async snapshot(): Promise<WorkspaceSnapshot> {
    this.read = null
    this.read = await this.workspace.snapshot()
    return this.read
  }

  /** Notes that an answer has what was read last. */
  keep(): void {
    this.kept = this.read
  }

  /** Whether it is as the last answer has it; what cannot be read is not. */
  async isKept(): Promise<boolean> {
    try {
      return saysTheSame(await this.limited.snapshot(), this.kept)
    } catch {
      return false
    }
  }
}
