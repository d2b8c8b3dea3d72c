import { count, group, knob, number, ON_OFF, orNoLimit, SHARE, section, table, wholeNumberKnob } from './knob'

export const HISTORY_KNOBS = section('History', 'How much of the conversation is sent.', {
  maxTurns: knob(
    'Turns sent',
    'Newest user turns sent, for channels without their own limit.',
    orNoLimit(wholeNumberKnob('turns')),
    null,
  ),
  trimAbove: knob(
    'Trim above',
    'A turn limit acts only above so many times its turns, and then cuts down to them.',
    number('factor', 1, 100),
    1,
  ),
  // By the name of the channel: telegram, discord …
  channels: table(
    group({
      dmTurns: knob(
        '*: direct chats',
        'User turns sent; empty is no limit.',
        orNoLimit(wholeNumberKnob('turns')),
        null,
      ),
      groupTurns: knob(
        '*: groups',
        'User turns sent; empty is no limit.',
        orNoLimit(wholeNumberKnob('turns')),
        null,
      ),
      /** By the name of the person. */
      users: table(knob('*: user *', 'User turns sent.', wholeNumberKnob('turns'), null)),
    }),
  ),
  recentTurns: knob(
    'Recent turns kept',
    'Newest user turns of which nothing is dropped by relevance or, in a divided window, pruned.',
    count('turns'),
    5,
  ),
  maxShare: knob(
    'History share',
    'Share of the window that history may hold after a compaction; what is summarised is pruned to it first.',
    SHARE,
    0.5,
  ),
  sendThinking: knob('Send thinking', 'Whether earlier thinking is sent to the model again.', ON_OFF, false),
})
