-- CreateTable
CREATE TABLE "Store" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "era" TEXT NOT NULL,
    "root" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "firstSeenAt" DATETIME NOT NULL,
    "lastReadAt" DATETIME,
    "glance" TEXT
);

-- CreateTable
CREATE TABLE "Session" (
    "row" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "id" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "key" TEXT,
    "agent" TEXT,
    "channel" TEXT,
    "name" TEXT,
    "path" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "cwd" TEXT,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "unreadable" INTEGER NOT NULL DEFAULT 0,
    "unknownTypes" INTEGER NOT NULL DEFAULT 0,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "turns" INTEGER NOT NULL DEFAULT 0,
    "compactions" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "provider" TEXT,
    "model" TEXT,
    "window" INTEGER,
    "windowSource" TEXT,
    "contextTokens" INTEGER,
    "contextBasis" TEXT NOT NULL DEFAULT 'unknown',
    "contextErrorPct" REAL,
    "inputTokens" BIGINT NOT NULL DEFAULT 0,
    "outputTokens" BIGINT NOT NULL DEFAULT 0,
    "cacheReadTokens" BIGINT NOT NULL DEFAULT 0,
    "cacheWriteTokens" BIGINT NOT NULL DEFAULT 0,
    "costUsd" REAL,
    "costUnknownCalls" INTEGER NOT NULL DEFAULT 0,
    "trendJson" TEXT NOT NULL DEFAULT '[]',
    "startedAt" DATETIME,
    "updatedAt" DATETIME,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "stamp" TEXT,
    "cursorJson" TEXT,
    "foldJson" TEXT,
    "indexJson" TEXT,
    CONSTRAINT "Session_storeId_fkey" FOREIGN KEY ("storeId") REFERENCES "Store" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
-- Clustered by session, like all tables below: a page reads a range of one session, and the import appends to it.
-- Prisma does not know WITHOUT ROWID, but sees no difference either.
CREATE TABLE "EntryBlock" (
    "sessionRow" INTEGER NOT NULL,
    "firstSeq" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "callsBefore" INTEGER NOT NULL,
    "factsJson" TEXT NOT NULL,

    PRIMARY KEY ("sessionRow", "firstSeq"),
    CONSTRAINT "EntryBlock_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "OddEntry" (
    "sessionRow" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "rawType" TEXT,
    "problem" TEXT,

    PRIMARY KEY ("sessionRow", "seq"),
    CONSTRAINT "OddEntry_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "CallBlock" (
    "sessionRow" INTEGER NOT NULL,
    "firstN" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "totalsJson" TEXT NOT NULL,
    "windowsJson" TEXT NOT NULL,
    "callsJson" TEXT NOT NULL,

    PRIMARY KEY ("sessionRow", "firstN"),
    CONSTRAINT "CallBlock_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "FailedCall" (
    "sessionRow" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DATETIME,
    "stopReason" TEXT NOT NULL,

    PRIMARY KEY ("sessionRow", "n"),
    CONSTRAINT "FailedCall_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "Compaction" (
    "sessionRow" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DATETIME,
    "kind" TEXT NOT NULL,
    "afterCall" INTEGER NOT NULL,
    "tokensBefore" INTEGER,
    "tokensAfter" INTEGER,
    "fromHook" BOOLEAN NOT NULL DEFAULT false,
    "midTask" BOOLEAN NOT NULL DEFAULT false,
    "preview" TEXT,

    PRIMARY KEY ("sessionRow", "seq"),
    CONSTRAINT "Compaction_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "SessionDay" (
    "sessionRow" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "inputTokens" BIGINT NOT NULL,
    "outputTokens" BIGINT NOT NULL,
    "cacheReadTokens" BIGINT NOT NULL,
    "cacheWriteTokens" BIGINT NOT NULL,
    "costUsd" REAL,
    "costUnknownCalls" INTEGER NOT NULL,
    "categoriesJson" TEXT NOT NULL,

    PRIMARY KEY ("sessionRow", "day", "model"),
    CONSTRAINT "SessionDay_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "session" TEXT,
    "root" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "problem" TEXT,
    "undoneBy" TEXT,
    "undoes" TEXT,
    "revision" INTEGER NOT NULL,
    "receiptJson" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "LogFolder" (
    "path" TEXT NOT NULL PRIMARY KEY,
    "found" BOOLEAN NOT NULL,
    "problem" TEXT
);

-- CreateTable
CREATE TABLE "LogFile" (
    "row" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "inode" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "age" INTEGER NOT NULL,
    "skippedBytes" BIGINT NOT NULL DEFAULT 0,
    "records" INTEGER NOT NULL DEFAULT 0,
    "broken" INTEGER NOT NULL DEFAULT 0,
    "cursorJson" TEXT NOT NULL,
    "problem" TEXT,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "LogLine" (
    "fileRow" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" DATETIME,
    "sessionId" TEXT,
    "chunkId" TEXT,
    "recordJson" TEXT NOT NULL,

    PRIMARY KEY ("fileRow", "line"),
    CONSTRAINT "LogLine_fileRow_fkey" FOREIGN KEY ("fileRow") REFERENCES "LogFile" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "BrokenLogLine" (
    "fileRow" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "problem" TEXT NOT NULL,

    PRIMARY KEY ("fileRow", "line"),
    CONSTRAINT "BrokenLogLine_fileRow_fkey" FOREIGN KEY ("fileRow") REFERENCES "LogFile" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Job" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "sessionId" TEXT,
    "storeId" TEXT,
    "paramsJson" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "stepsDone" INTEGER NOT NULL,
    "stepsOf" INTEGER,
    "doing" TEXT NOT NULL,
    "receipt" TEXT,
    "message" TEXT,
    "resultJson" TEXT,
    "process" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "Fact" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "content" TEXT NOT NULL,
    "confidence" REAL NOT NULL,
    "source" TEXT NOT NULL,
    "scope" TEXT,
    "tagsJson" TEXT NOT NULL,
    "entitiesJson" TEXT NOT NULL,
    "relationJson" TEXT,
    "state" TEXT NOT NULL,
    "replacedBy" TEXT,
    "at" DATETIME NOT NULL,
    "confirmedAt" DATETIME NOT NULL,
    "revision" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "PendingFact" (
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "id" TEXT NOT NULL,
    "what" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Meta" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Session_id_key" ON "Session"("id");

-- CreateIndex
CREATE INDEX "Session_storeId_idx" ON "Session"("storeId");

-- CreateIndex
CREATE INDEX "Session_updatedAt_idx" ON "Session"("updatedAt");

-- CreateIndex
CREATE INDEX "Session_revision_idx" ON "Session"("revision");

-- CreateIndex
CREATE INDEX "Session_sessionId_idx" ON "Session"("sessionId");

-- CreateIndex
CREATE INDEX "FailedCall_at_idx" ON "FailedCall"("at");

-- CreateIndex
CREATE INDEX "Compaction_at_idx" ON "Compaction"("at");

-- CreateIndex
CREATE INDEX "SessionDay_day_idx" ON "SessionDay"("day");

-- CreateIndex
CREATE INDEX "AuditEntry_revision_idx" ON "AuditEntry"("revision");

-- CreateIndex
CREATE UNIQUE INDEX "LogFile_inode_key" ON "LogFile"("inode");

-- CreateIndex
CREATE INDEX "LogFile_revision_idx" ON "LogFile"("revision");

-- CreateIndex
CREATE INDEX "LogLine_at_fileRow_line_idx" ON "LogLine"("at", "fileRow", "line");

-- CreateIndex
CREATE INDEX "LogLine_kind_at_fileRow_line_idx" ON "LogLine"("kind", "at", "fileRow", "line");

-- CreateIndex
CREATE INDEX "LogLine_sessionId_at_fileRow_line_idx" ON "LogLine"("sessionId", "at", "fileRow", "line");

-- CreateIndex
CREATE INDEX "LogLine_chunkId_idx" ON "LogLine"("chunkId");

-- CreateIndex
CREATE INDEX "Job_revision_idx" ON "Job"("revision");

-- CreateIndex
CREATE INDEX "Job_state_idx" ON "Job"("state");

-- CreateIndex
CREATE INDEX "Fact_scope_idx" ON "Fact"("scope");

-- CreateIndex
CREATE INDEX "Fact_revision_idx" ON "Fact"("revision");

-- CreateIndex
CREATE UNIQUE INDEX "PendingFact_id_key" ON "PendingFact"("id");
