-- CreateTable
CREATE TABLE "SessionTool" (
    "sessionRow" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "results" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "argumentTokens" BIGINT NOT NULL,
    "resultTokens" BIGINT NOT NULL,
    "largest" INTEGER NOT NULL,
    "sentTokens" BIGINT NOT NULL,

    PRIMARY KEY ("sessionRow", "tool"),
    CONSTRAINT "SessionTool_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);
