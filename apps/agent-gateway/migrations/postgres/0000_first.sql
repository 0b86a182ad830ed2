-- Search compares groups of three letters.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_shares" (
	"terminal_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"by" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "agent_shares_terminal_id_agent_id_pk" PRIMARY KEY("terminal_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"profile" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint,
	"expires_at" bigint,
	"isolation" text,
	"max_terminals" bigint,
	"tool_settings" text DEFAULT '{}' NOT NULL,
	"workspace" text,
	"owner_id" text,
	"machines" text DEFAULT 'gateway' NOT NULL,
	CONSTRAINT "agents_name_unique" UNIQUE("name"),
	CONSTRAINT "agents_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "approval_votes" (
	"approval_id" text NOT NULL,
	"person_id" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "approval_votes_approval_id_person_id_pk" PRIMARY KEY("approval_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"command_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"terminal_id" text,
	"text" text NOT NULL,
	"cwd" text NOT NULL,
	"policy_version" text NOT NULL,
	"binding" text DEFAULT '{}' NOT NULL,
	"verdict" text NOT NULL,
	"approvers" text DEFAULT '["operator","admin"]' NOT NULL,
	"approvers_needed" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"status" text NOT NULL,
	"state" text NOT NULL,
	"told_at" bigint,
	"passed_on_at" bigint
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"type" text NOT NULL,
	"actor" text NOT NULL,
	"command_id" text,
	"terminal_id" text,
	"detail" text NOT NULL,
	"hash" text NOT NULL,
	"decision" text,
	"runs" text[],
	"words" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_calls" (
	"command_id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"client" text NOT NULL,
	"session" text NOT NULL,
	"call_id" text,
	"line" text NOT NULL,
	"cwd" text NOT NULL,
	"opened_at" bigint NOT NULL,
	"reported_at" bigint
);
--> statement-breakpoint
CREATE TABLE "command_changes" (
	"command_id" text PRIMARY KEY NOT NULL,
	"workspace" text NOT NULL,
	"epoch" text NOT NULL,
	"from_seq" bigint NOT NULL,
	"to_seq" bigint NOT NULL,
	"ended_at" bigint NOT NULL,
	"counts" text,
	"problem" text,
	"undoes" text,
	"by" text
);
--> statement-breakpoint
CREATE TABLE "commands" (
	"id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"terminal_id" text,
	"line" text NOT NULL,
	"request" text,
	"opened_at" bigint NOT NULL,
	"started_at" bigint,
	"closed_at" bigint,
	"outcome" text
);
--> statement-breakpoint
CREATE TABLE "conversation_shells" (
	"terminal_id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"conversation_id" text NOT NULL,
	"used_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "freezes" (
	"scope" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"approval_id" text PRIMARY KEY NOT NULL,
	"agent_id" text NOT NULL,
	"text" text NOT NULL,
	"cwd" text NOT NULL,
	"policy_version" text NOT NULL,
	"binding" text DEFAULT '{}' NOT NULL,
	"terminal_id" text,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "machine_terminals" (
	"terminal_id" text PRIMARY KEY NOT NULL,
	"machine" text NOT NULL,
	"info" text,
	"opened_at" bigint NOT NULL,
	"closed_at" bigint,
	"copied_at" bigint
);
--> statement-breakpoint
CREATE TABLE "machines" (
	"name" text PRIMARY KEY NOT NULL,
	"public_key" text,
	"token_key" text,
	"token_expires_at" bigint,
	"host_id" text,
	"facts" text,
	"created_at" bigint NOT NULL,
	"joined_at" bigint,
	"seen_at" bigint,
	"revoked_at" bigint,
	CONSTRAINT "machines_public_key_unique" UNIQUE("public_key"),
	CONSTRAINT "machines_token_key_unique" UNIQUE("token_key")
);
--> statement-breakpoint
CREATE TABLE "meta" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "policy_proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"approval_id" text NOT NULL,
	"rules" text NOT NULL,
	"author" text NOT NULL,
	"at" bigint NOT NULL,
	"status" text NOT NULL,
	"settled_by" text,
	"settled_at" bigint
);
--> statement-breakpoint
CREATE TABLE "policy_versions" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"text" text,
	"at" bigint NOT NULL,
	"author" text NOT NULL,
	"note" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "share_links" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"terminal_id" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	CONSTRAINT "share_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "shell_memories" (
	"terminal_id" text PRIMARY KEY NOT NULL,
	"memory" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"image" text,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"tells_command" boolean NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "written_files" (
	"agent_id" text NOT NULL,
	"workspace" text NOT NULL,
	"kind" text NOT NULL,
	"path" text NOT NULL,
	"known" text NOT NULL,
	"nr" bigserial PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_votes" ADD CONSTRAINT "approval_votes_approval_id_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."approvals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_approval_id_approvals_id_fk" FOREIGN KEY ("approval_id") REFERENCES "public"."approvals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_user" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "approvals_status" ON "approvals" USING btree ("status");--> statement-breakpoint
CREATE INDEX "approvals_command" ON "approvals" USING btree ("command_id");--> statement-breakpoint
CREATE INDEX "audit_events_words" ON "audit_events" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "audit_events_command" ON "audit_events" USING btree ("command_id");--> statement-breakpoint
CREATE INDEX "audit_events_at" ON "audit_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_events_type" ON "audit_events" USING btree ("type","seq");--> statement-breakpoint
CREATE INDEX "audit_events_terminal" ON "audit_events" USING btree ("terminal_id","seq");--> statement-breakpoint
CREATE INDEX "client_calls_session" ON "client_calls" USING btree ("agent_id","client","opened_at");--> statement-breakpoint
CREATE INDEX "command_changes_range" ON "command_changes" USING btree ("epoch","from_seq","to_seq");--> statement-breakpoint
CREATE INDEX "commands_terminal" ON "commands" USING btree ("terminal_id");--> statement-breakpoint
CREATE INDEX "commands_closed" ON "commands" USING btree ("closed_at");--> statement-breakpoint
CREATE INDEX "conversation_shells_of" ON "conversation_shells" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "grants_agent" ON "grants" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "machine_terminals_open" ON "machine_terminals" USING btree ("machine","closed_at");--> statement-breakpoint
CREATE INDEX "session_user" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "share_links_terminal" ON "share_links" USING btree ("terminal_id");--> statement-breakpoint
CREATE INDEX "verification_identifier" ON "verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "written_files_of" ON "written_files" USING btree ("agent_id");