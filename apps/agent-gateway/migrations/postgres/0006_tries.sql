CREATE UNLOGGED TABLE "tries" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"since" bigint NOT NULL,
	"next_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "tries_since" ON "tries" USING btree ("since");