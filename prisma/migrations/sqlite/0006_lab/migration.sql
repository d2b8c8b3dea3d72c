-- CreateTable
CREATE TABLE "PreparedSession" (
    "sessionRow" INTEGER NOT NULL PRIMARY KEY,
    "source" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "packed" BLOB NOT NULL,
    CONSTRAINT "PreparedSession_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RefusedNeed" (
    "transcriptId" TEXT NOT NULL,
    "entry" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("transcriptId", "entry", "text")
);

-- CreateTable
CREATE TABLE "Experiment" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "specJson" TEXT NOT NULL,
    "job" TEXT,
    "endedAt" DATETIME,
    "hash" TEXT,
    "resultJson" TEXT
);
