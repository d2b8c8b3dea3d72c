-- An index on all states was taken for questions about live sessions, which nearly all are.
DROP INDEX "Session_state_idx";

-- Transcripts that can repeat the calls of another one: few among many, and looked for by nearly every sum.
CREATE INDEX "Session_repeating_idx" ON "Session"("state", "sessionId")
  WHERE "state" IN ('backup', 'checkpoint', 'imported', 'gone');
