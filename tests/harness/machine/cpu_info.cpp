#include "harness/machine/cpu_info.hpp"

#include "tests/catch.hpp"

using namespace assay::harness;
using Names = std::vector<std::string>;

TEST_CASE("an x86 processor is described by its first block") {
  const auto cpu = parse_cpu_info(R"(processor	: 0
vendor_id	: AuthenticAMD
cpu family	: 25
model		: 17
model name	: AMD EPYC 9R14
stepping	: 1
microcode	: 0xa10113e
cpu MHz		: 3699.932
flags		: fpu smep sme sse sse4_2 fma avx avx2 avx512f avx512_bf16 hypervisor

processor	: 1
vendor_id	: SomebodyElse
model name	: another
)");
  CHECK(cpu.vendor == "AuthenticAMD");
  CHECK(cpu.model == "AMD EPYC 9R14");
  CHECK(cpu.family == 25);
  CHECK(cpu.model_number == 17);
  CHECK(cpu.stepping == 1);
  CHECK(cpu.hypervisor);
  // sme is memory encryption here, not the matrix unit of ARM
  CHECK(cpu.features == Names{"avx", "avx2", "avx512_bf16", "avx512f", "fma", "sse4_2"});
}

TEST_CASE("the order of flags does not matter") {
  CHECK(parse_cpu_info("flags : fma avx2 avx\n").features == parse_cpu_info("flags : avx avx2 fma\n").features);
}

TEST_CASE("an ARM processor has features and part numbers") {
  const auto cpu = parse_cpu_info(R"(processor	: 0
BogoMIPS	: 2100.00
Features	: fp asimd evtstrm aes crc32 asimdhp asimddp sve i8mm bf16 sme
CPU implementer	: 0x41
CPU architecture: 8
CPU variant	: 0x1
CPU part	: 0xd40
CPU revision	: 1
)");
  CHECK(cpu.vendor == "ARM");
  CHECK(cpu.model == "ARM part 0xd40");
  CHECK(cpu.family == 8);
  CHECK(cpu.model_number == 0xd40);
  CHECK(cpu.features == Names{"asimd", "asimddp", "asimdhp", "bf16", "i8mm", "sme", "sve"});
  CHECK_FALSE(cpu.hypervisor);
}

TEST_CASE("an unknown ARM implementer keeps its number") {
  CHECK(parse_cpu_info("CPU implementer : 0x99\nCPU part : 0x001\n").vendor == "0x99");
}

TEST_CASE("a RISC-V processor has an instruction set string") {
  const auto cpu = parse_cpu_info("processor : 0\nisa : rv64imafdcv\nuarch : thead,c910\nmvendorid : 0x5b7\n");
  CHECK(cpu.model == "thead,c910");
  CHECK(cpu.features == Names{"rv64imafdcv"});
}

TEST_CASE("bytes that are no text do not come through, and what is no number is not said") {
  const auto cpu = parse_cpu_info(
      "model name : Xeon\xff\x1b[31m\nvendor_id : \xc3\ncpu family : 6x\nmodel : -3\nstepping : 0x\nflags : avx2\x80 "
      "avx\n");
  CHECK(cpu.model == "Xeon??[31m");
  CHECK(cpu.vendor == "?");
  CHECK(cpu.family == -1);
  CHECK(cpu.model_number == -1);
  CHECK(cpu.stepping == -1);
  CHECK(cpu.features == Names{"avx", "avx2?"});
}

TEST_CASE("an empty text says nothing and is no error") {
  const auto cpu = parse_cpu_info("");
  CHECK(cpu.model.empty());
  CHECK(cpu.family == -1);
  CHECK(cpu.features.empty());
}
