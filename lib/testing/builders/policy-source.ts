/** Settings as an operator writes them: with comments, quotes and gaps that an edit leaves as they are. */
export const OPERATORS_YAML = `# our settings
policy:
  # why: the harbour is small
  lines:
    compact: { enabled: true, at: 0.5 } # half
    'slide':
      at: 0.7   # late

  history:
    maxTurns: 12
  pruning:
    alwaysKeep:
      - plan
      - error
other: "kept"
`
