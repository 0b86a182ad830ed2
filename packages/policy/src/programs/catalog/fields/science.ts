import { defineProgram } from "../../define-program.ts";

/** Programs of laboratories and observatories: they read data, compute, and write results. */
export const SCIENCE = [
  defineProgram({
    names:
      "samtools bcftools bedtools seqkit seqtk fastqc multiqc bwa bwa-mem2 minimap2 bowtie2 bowtie2-build hisat2 STAR salmon kallisto fastp cutadapt trimmomatic gatk picard vcftools plink plink2 tabix bgzip blastn blastp makeblastdb diamond hmmsearch mafft muscle iqtree iqtree2 raxml-ng fasttree prokka quast.py busco kraken2 macs3 featureCounts htseq-count bamCoverage mosdepth nanoplot medaka flye spades.py megahit gmx gmx_mpi lmp lmp_mpi pw.x ph.x cp2k cp2k.psmp nwchem orca dftb+ namd3 obabel xtb",
    does: "work",
    isOpen: true,
    options:
      "-o:w --output:w --out:w --outdir:w --output-dir:w --outFileNamePrefix:w -O: -@: -t: --threads: -a: -b: -f: -s: -x: -i:r -in:c -g:r -G:r -1:r -2:r -U:r -S:w --fai-reference:r --reference:r",
    operands: "read",
    runs: [
      "samtools flagstat data/a.bam",
      "bwa mem -t 4 ref.fa r1.fq r2.fq > out.sam",
      "fastqc -o qc data/a.fastq.gz",
      "gmx check -f traj.xtc",
      "lmp -in in.lj",
    ],
    asks: [
      "samtools view -o ~/.bashrc a.bam",
      "lmp -in /tmp/x.lj",
      "samtools view https://example.com/a.bam",
      "multiqc /tmp/x",
    ],
  }),
  defineProgram({
    names:
      "ogr2ogr gdal_translate gdalwarp gdal_rasterize gdal_polygonize.py gdaldem gdalbuildvrt gdaladdo gdal_merge.py",
    does: "edit",
    isOpen: true,
    options: "-f: -of: -t_srs: -s_srs: -a_srs: -co: -lco: -oo: -nln: -where: -sql: -clipsrc: -te: -tr: -r: -ot: -o:w",
    operands: "write",
    runs: ["ogr2ogr -f GeoJSON out.json data/roads.shp", "gdalwarp -t_srs EPSG:4326 in.tif out.tif"],
    asks: ["gdal_translate in.tif ~/.bashrc", "ogr2ogr -f PostgreSQL 'PG:host=db.example.com' a.shp"],
    // A target may also be a database, and a source an address.
    check: ({ operands }) =>
      operands.some(({ text }) => /^(?:PG|MySQL|MSSQL|OCI|WFS|\/vsi\w+\/):?/i.test(text)) ? "network" : null,
  }),
  defineProgram({
    names: "pvpython pvbatch freecadcmd blender-script",
    does: "work",
    options: "--force-offscreen-rendering --mesa --version",
    operands: "read",
    stopsAtOperand: true,
    check: ({ operands }) => (operands.length === 0 ? "code" : null),
    runs: ["pvpython scripts/render.py"],
    asks: ["pvpython", "pvbatch /tmp/x.py"],
  }),
  // A queue for jobs of many people.
  defineProgram({
    names: "squeue sinfo sacct sstat sprio sshare sreport qstat pbsnodes bjobs bqueues condor_q condor_status",
    does: "read",
    isHarmless: true,
    operands: "value",
    runs: ["squeue -u me", 'sinfo -o "%P %a"', "sacct -j 12 --format=JobID,State"],
    asks: ["squeue > ~/.bashrc"],
  }),
  // Jobs run later, on machines of everyone.
  defineProgram({
    names: "sbatch salloc qsub bsub condor_submit",
    does: "publish",
    isOpen: true,
    operands: "value",
    runs: ["sbatch --version"],
    asks: ["sbatch run.sh", "qsub job.pbs"],
  }),
  defineProgram({
    names: "scancel qdel bkill condor_rm",
    does: "destroy",
    isOpen: true,
    operands: "value",
    runs: ["scancel --version"],
    asks: ["scancel 12", "qdel 3"],
  }),
  defineProgram({
    names: "scontrol",
    does: "destroy",
    options: "-o -d -h -a -M: --oneliner --details",
    operands: "value",
    verbs: { "show ping version": { does: "read", operands: "value" } },
    runs: ["scontrol show job 12"],
    asks: ["scontrol update job 12 priority=1", "scontrol requeue 12"],
  }),
  defineProgram({
    names: "spack",
    does: "install",
    isOpen: true,
    operands: "value",
    verbs: {
      "find spec info list versions location arch compilers providers dependencies dependents graph help": {
        does: "read",
        operands: "value",
      },
      "uninstall gc clean": "destroy",
    },
    runs: ["spack find", "spack spec hdf5"],
    asks: ["spack install hdf5", "spack uninstall hdf5"],
  }),
  defineProgram({
    names: "module ml",
    does: "change",
    options: "-t -l -d -L",
    operands: "value",
    verbs: {
      "list avail av show spider whatis help keyword": { does: "read", operands: "value" },
      // Like `nvm use`: another version of a tool, which the machine's administrators have installed.
      "load add unload rm swap purge reset": { does: "work", operands: "read" },
    },
    runs: ["module list", "module load gcc/12"],
    asks: ["module use /tmp/x", "module save mine", "module load /tmp/x"],
  }),
];
