import { defineProgram } from "../../define-program.ts";

/** A target outside the main repository, which is `@//`, `@@//` or `root//`. */
const OTHER_REPOSITORY = /^(?:@{1,2}[^/@]+|(?!root\/)[\w-]+)\/\//;
const BAZEL_FORMATTER =
  /^@{1,2}(?:buildifier_prebuilt|buildtools|com_github_bazelbuild_buildtools)\/\/(?:buildifier)?:buildifier[\w.-]*$/;

export const JVM = [
  defineProgram({
    names:
      "mvn mvnw mvnd gradle gradlew ant sbt lein mill bazel bazelisk buck2 pants please plz amper kotlinc scala-cli bleep",
    does: "work",
    isOpen: true,
    options:
      "-f:c --file:c -s:c --settings:c -gs:c -b:c --build-file:c -c:c --settings-file:c -p:d --project-dir:d -I:c --init-script:c -g:c --gradle-user-home:c -D? -P? -pl: -am -amd -rf: -o -q -B -e -X -T: -U -N -ntp -x: --tests: --info --debug --stacktrace --scan=publish --offline --refresh-dependencies --rerun-tasks --continue --no-daemon --parallel --console: --warning-mode: --exclude-task: --include-build:c --project-cache-dir:w --bazelrc:c --output_base:w --output_user_root:w --config: --test_output: --test_filter: --configuration: --dependency: --args: --max-workers: --priority: --task: --group: --profile --build-cache --configuration-cache --dry-run -m -i -w --write-locks=change --write-verification-metadata:=change --keep_going -k --noshow_progress --run_under:x --script_path:w --host_jvm_args:x -java-home:x --java-home:x -jvm-debug:=code -mem: -Dsbt.version? -d:w -include-runtime -cp:r -classpath:r",
    operands: "value",
    check: ({ name: tool, operands, options }) => {
      const goals = operands.map(({ text }) => text);
      if (
        goals.some((goal) =>
          /^(deploy|release|publish|site-deploy|nexus-staging|bintrayUpload|uploadArchives|closeAndRelease|jib|push|docker:push|scm:tag|scm:checkin|dockerPush|sonar|ci-release)|^sonatype\w*(?:Release|Upload|Publish)|:(deploy|release|publish\w*|perform|push)\b/i.test(
            goal,
          ),
        )
      )
        return "publish";
      // `-Dspring-boot.build-image.publish=true`
      if (options.some(({ value }) => /(?:publish|deploy|push|upload)=(?:true|always)$/i.test(value?.text ?? "")))
        return "publish";
      if (goals.some((goal) => /^flyway:?clean$/i.test(goal))) return "destroy";
      if (
        goals.some((goal) =>
          /^exec:|:exec\b|^(groovy:|antrun:|console|repl|shell|consoleQuick|runMain|try$|set |eval )/.test(goal),
        )
      )
        return "code";
      // `bazel run @rules//:tool`, `buck2 build cell//:x`: code of another repository, except the formatters of Bazel itself.
      const isOther = (goal: string) => OTHER_REPOSITORY.test(goal) && !BAZEL_FORMATTER.test(goal);
      if (/^(?:bazel|bazelisk|buck2|please|plz)$/.test(tool) && goals.some(isOther)) return "code";
      // A task that changes the project's settings for the one after it, or a profile from a file.
      if (tool === "lein" && goals.some((goal) => goal === "update-in" || /^[~/.]/.test(goal))) return "code";
      // `mvn group:plugin:goal`: one that the project does not name.
      if (tool.startsWith("mvn") && goals.some((goal) => /^[^:]+:[^:]+:[^:]+/.test(goal) && !KNOWN_PLUGIN.test(goal)))
        return "install";
      // For Maven, `-e` prints errors.
      if (
        /^(?:kotlinc|scala-cli|mill)$/.test(tool) &&
        options.some(({ name }) => /^-e$|^-expression$|^--execute/.test(name))
      )
        return "code";
      // They print what Maven reads, with the environment.
      if (goals.some((goal) => /^help:system$/.test(goal))) return "secret";
      if (options.some(({ value }) => /^expression=(?:settings\.servers|env\.)/.test(value?.text ?? "")))
        return "secret";
      if (options.some(({ name }) => /^-D?exec\.(executable|args)|^-Dexec\./.test(name))) return "code";
      if (goals.some((goal) => /^(wrapper|init|archetype:|versions:set|dependency:get|new|create)/.test(goal)))
        return "change";
      return goals.some((goal) => /^(clean|distclean|expunge|mobile-install|shutdown)$/.test(goal)) &&
        goals.length === 1
        ? "work"
        : null;
    },
    runs: [
      "mvn -q test",
      "mvn test -Dtest=UserServiceTest",
      "gradle build -x test",
      "sbt test",
      "bazel query //...",
      "bazel build @//app:main",
      "buck2 build root//app:main",
      "bazel test //pkg/...",
      "bazel test //deploy/...",
      "gradlew assembleRelease",
      "gradlew :app:dependencies --configuration releaseRuntimeClasspath",
      "bazel run @buildifier_prebuilt//:buildifier -- -r .",
      "lein test",
      "mvn org.apache.maven.plugins:maven-dependency-plugin:3.6.0:tree",
    ],
    asks: [
      "gradle test artifactoryPublish",
      "mvn verify wagon:upload",
      "bazel run //deploy:prod",
      "mvn -f /tmp/pom.xml test",
      "mvn exec:exec -Dexec.executable=/tmp/x",
      "mvn deploy",
      "gradle publish",
      "gradle -I /tmp/i.gradle build",
      "mvn -Dmaven.repo.local=/tmp/x test",
      "kotlinc -Xplugin=/tmp/x.jar a.kt",
      "sbt -sbt-jar /tmp/x.jar test",
      "bazel run --run_under=./x //a",
      "bazel run @evil//:x",
      "bazelisk test @@evil//pkg:all",
      "buck2 build evil//:x",
      "lein update-in :dependencies conj x -- test",
      "lein with-profile /tmp/x test",
      "kotlinc -e 'println(1)'",
      "scala-cli -e 'println(1)'",
      "mvn help:system",
      "mvn flyway:clean",
      "mvn scm:tag",
      "mvn spring-boot:build-image -Dspring-boot.build-image.publish=true",
      "mvn org.example:x-maven-plugin:1.0:run",
    ],
  }),
  defineProgram({
    names: "java javac javadoc jar javap kotlin jlink jpackage",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options:
      "-cp:c -classpath:c --class-path:c -jar:c -d:w -sourcepath:c -version -showversion --version -fullversion -Xmx? -Xms? -javaagent:x -agentlib:x -agentpath:x -processor:c -processorpath:c --processor-path:c --module-path:c -p:c -m: -s:w -h -c -v -l -e:x -expression:x -tf:r -tvf:r -cf:w -xf:r -cvf:w -XX? -D? -ea -J?x -Xlog?w -Xbootclasspath?c -Xplugin?c -Xshare? -Xloggc?w",
    operands: "read",
    stopsAtOperand: false,
    check: ({ options, operands }) =>
      options.some(
        ({ name, value }) => /^-(javaagent|agentlib|agentpath)/.test(name) || isRunByJvm(name, value?.text ?? ""),
      ) || operands.some(({ text }) => text.startsWith("@"))
        ? "code"
        : null,
    runs: ["javac -d out src/A.java", "java -cp out A", "java -version", "java -jar build/app.jar --help"],
    asks: [
      "java -jar /tmp/x.jar",
      "java -javaagent:/tmp/x.jar A",
      "javac -J-javaagent:x.jar A.java",
      "java -Xlog:gc:file=/home/agent/.bashrc A",
      "java -XX:OnOutOfMemoryError=./x A",
      "java -XX:Flags=./x A",
      "kotlin -e 'println(1)'",
      "java -Djava.security.policy=/tmp/x A",
    ],
  }),
  defineProgram({
    names: "jps jstack jinfo jstat jdeps jdeprscan jfr scalac kotlinc-jvm ktfmt",
    does: "work",
    isOpen: true,
    options: "-d:w -cp:r -classpath:r -l -m -v -q -J:x -F -e -g -gc -gcutil -gccause -class -s -summary -dotoutput:w",
    hasSingleDashLong: true,
    operands: "value",
    runs: ["jps -lv", "jstack 1234", "jstat -gc 1234", "jdeps build/libs/a.jar"],
    asks: ["jdeps -dotoutput /home/agent/.ssh a.jar"],
  }),
  defineProgram({
    names: "jcmd jmap",
    does: "change",
    isOpen: true,
    hasSingleDashLong: true,
    operands: "value",
    check: ({ name, operands, options }) => {
      const [, command] = operands;
      if (operands.length === 0 || (name === "jcmd" && operands.length === 1)) return "read";
      if (name === "jmap")
        return options.every(({ name: option }) => /^-(histo|heap|clstats|finalizerinfo)/.test(option)) ? "read" : null;
      return /^(help|VM\.(version|flags|uptime|command_line|info|memory|native_memory|classloaders)|Thread\.print|GC\.(class_histogram|heap_info))$/.test(
        command?.text ?? "",
      )
        ? "read"
        : null;
    },
    runs: ["jcmd", "jcmd 1234 Thread.print", "jcmd 1234 GC.heap_info", "jmap -histo 1234"],
    asks: ["jcmd 1234 GC.heap_dump /tmp/x", "jmap -dump:file=x 1234", "jcmd 1234 VM.system_properties"],
  }),
  defineProgram({
    names: "clojure clj",
    does: "work",
    isOpen: true,
    hasSingleDashLong: true,
    options: "-e:x --eval:x -Sdeps:x -m: -P -Spath -Stree -Sdescribe -Sforce -i:c --init:c -r=code --repl=code",
    operands: "value",
    check: ({ options, operands }) =>
      options.length === 0 && operands.length === 0
        ? "code"
        : [...operands.map(({ text }) => text), ...options.flatMap(({ name }) => name.split(":"))].some((word) =>
              /^(deploy|publish|release)/.test(word),
            )
          ? "publish"
          : null,
    runs: [
      "clj -M:test",
      "clojure -X:test",
      "clj -Stree",
      "clojure -M:test -m cognitect.test-runner",
      "clojure -T:build jar",
    ],
    asks: ["clj -e '(+ 1 1)'", "clj", "clojure -T:build deploy", "clj -X:deploy"],
  }),
];

/** Plugins by their full name that every build may use. */
const KNOWN_PLUGIN =
  /^(?:org\.apache\.maven|org\.codehaus\.mojo|org\.springframework|com\.diffplug|org\.jacoco|com\.github\.spotbugs|org\.pitest|io\.quarkus|org\.openrewrite|org\.owasp|com\.spotify|org\.liquibase|org\.flywaydb)[.:]/;

/** `-XX:OnError=…` runs a program, and `-XX:Flags=…` is a file of options. */
function isRunByJvm(name: string, value: string): boolean {
  return name === "-XX" && [":On", ":Flags=", ":VMOptionsFile="].some((start) => value.startsWith(start));
}
