/** Where sums of tokens differ from those of ccusage, and by what they then differ. */
type PeerDifference = {
  readonly where: string
  readonly theirs: string
  readonly ours: string
}

/**
 * What differs over sessions that both were given (ccusage 20.0.24, days in UTC, `lib/testing/clients`): input, output,
 * cache read and cache write of every other session and day are equal to the token.
 */
export const PEER_DIFFERENCES: readonly PeerDifference[] = [
  {
    where:
      'Claude Code: an answer says what it wrote to the cache as a sum, and again by how long that stays',
    theirs: 'takes the parts where there are any, and so nothing where the provider left them at zero',
    ours: 'takes the sum, which is what the prompt is made of; the parts only say at which price',
  },
  {
    where: 'Codex 0.169 and later: the request of a compaction by the provider',
    theirs: 'leaves it out: token_count, from which it sums, does not have it',
    ours: 'counts it as billed beside the calls, from token_usage_record; it is in no window',
  },
  {
    where: 'Claude Code: answers that are in two files, as those of a session that was resumed or forked',
    theirs: 'counts them once, in the file that it reads first',
    ours: 'counts them once in the report; sessions says of each file what was used in it',
  },
]
